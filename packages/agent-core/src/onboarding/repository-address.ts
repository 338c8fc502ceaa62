import { OnboardingError } from "./onboarding-error.ts";

/** Where a repository is cloned from. */
export interface RepositoryAddress {
  readonly protocol: "https" | "http" | "ssh";
  /** What git is given: made anew of the parts, so that git reads them as they were checked. */
  readonly url: string;
  /** Lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  /** `<host>[:<port>]/<owner>/<repo>` in lower case, the port only where it is not the protocol's. */
  readonly key: string;
  /** `<owner>/<repo>` as written. */
  readonly path: string;
  /** The last part. */
  readonly name: string;
}

const PORTS = { https: 443, http: 80, ssh: 22 } as const;
const PATH = /^(?:[A-Za-z0-9_~][A-Za-z0-9._~+-]*\/)+[A-Za-z0-9_~][A-Za-z0-9._~+-]*$/;
const MAX_LENGTH = 1_000;

/**
 * Reads an address (F20): `owner/repo` of github.com, `host[:port]/owner/repo`, a URL of https, http or ssh, or
 * `user@host:owner/repo`. @throws OnboardingError `onboarding.invalid`
 */
export function parseRepositoryAddress(given: string): RepositoryAddress {
  const text = given.trim();
  if (text.length > MAX_LENGTH || text.startsWith("-") || !/^[\x21-\x7e]+$/.test(text)) throw invalid();
  const scp = /^([A-Za-z0-9._-]+)@([A-Za-z0-9.-]+):(?!\/)(.+)$/.exec(text);
  if (scp !== null) return addressOf(new URL(`ssh://${scp[1]}@${scp[2]}/${scp[3]}`));
  if (/^[a-z]+:\/\//i.test(text)) return addressOf(URL.parse(text));
  const parts = text.split("/");
  if (parts.length === 2) return addressOf(URL.parse(`https://github.com/${text}`));
  return addressOf(URL.parse(`https://${text}`));
}

function addressOf(url: URL | null): RepositoryAddress {
  const protocol = url?.protocol.slice(0, -1);
  if (url === null || (protocol !== "https" && protocol !== "http" && protocol !== "ssh")) throw invalid();
  const isUserAllowed = protocol === "ssh" && /^[A-Za-z0-9._-]*$/.test(url.username) && !url.username.startsWith("-");
  if (url.password !== "" || (url.username !== "" && !isUserAllowed))
    throw new OnboardingError("onboarding.invalid", "an address with a user or a password in it is refused");
  const path = url.pathname
    .replace(/^\/+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
  // Of ssh the host is not read by WHATWG rules.
  const host = url.hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.+$/, "");
  const isHost = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(host) || /^[0-9a-f:.]+$/.test(host);
  if (!PATH.test(path) || !isHost || url.search !== "" || url.hash !== "") throw invalid();
  const port = url.port === "" ? PORTS[protocol] : Number(url.port);
  const shownHost = host.includes(":") ? `[${host}]` : host;
  const named = port === PORTS[protocol] ? shownHost : `${shownHost}:${port}`;
  const user = url.username === "" ? "" : `${url.username}@`;
  const suffix = /\.git\/*$/i.test(url.pathname) ? ".git" : "";
  return {
    ...{ protocol, host, port, path },
    url: `${protocol}://${user}${named}/${path}${suffix}`,
    key: `${named}/${path}`.toLowerCase(),
    name: path.slice(path.lastIndexOf("/") + 1),
  };
}

function invalid(): OnboardingError {
  return new OnboardingError(
    "onboarding.invalid",
    "this is no repository's address: owner/repo, host/owner/repo, https://host/owner/repo or git@host:owner/repo",
  );
}
