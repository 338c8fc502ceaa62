import { isLoopbackHost } from "../access/index.ts";
import { StartupError } from "../cli/index.ts";
import { usage } from "./command-failure.ts";
import type { CommandIo } from "./command-io.ts";

/** The address of the service and the credential for it. */
export interface FoundService {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly urlFrom: string;
  readonly token?: string;
  readonly apiKey?: string;
  /** The source of the token or the key. */
  readonly credentialFrom?: string;
  /** Why the configuration could not be read. */
  readonly problem?: string;
}

const DEFAULT_PORT = 7870;

/**
 * The address by `--url`, `SVC_URL`, else this machine's and the default port. The credential of an address of this
 * machine is the one that its configuration names (overlay, file, environment, as the service itself reads them); of
 * another machine it is `A2A_AUTH_TOKEN` alone, because the local one would be sent to another machine.
 */
export async function findService(
  flag: string | undefined,
  { env, checkoutRoot }: Pick<CommandIo, "env" | "checkoutRoot">,
): Promise<FoundService> {
  const address = addressOf(flag, env);
  const fromEnvironment = env.A2A_AUTH_TOKEN?.trim() ?? "";
  const isOwn = address.urlFrom === "default" || address.urlFrom === "SVC_HOST";
  if (!isOwn && !isLoopbackHost(new URL(address.url).hostname)) {
    return {
      ...address,
      ...(fromEnvironment === "" ? {} : { token: fromEnvironment, credentialFrom: "A2A_AUTH_TOKEN" }),
    };
  }
  try {
    return { ...address, ...(await configuredCredential(env, checkoutRoot)) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const token = fromEnvironment === "" ? {} : { token: fromEnvironment, credentialFrom: "A2A_AUTH_TOKEN" };
    return { ...address, ...token, problem: error.message };
  }
}

function addressOf(flag: string | undefined, env: CommandIo["env"]): Pick<FoundService, "url" | "urlFrom"> {
  const variable = env.SVC_URL?.trim() ?? "";
  const named = flag ?? variable;
  if (named === "") {
    const host = env.SVC_HOST?.trim() ?? "";
    const reached = host === "" || host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
    const literal = reached.includes(":") && !reached.startsWith("[") ? `[${reached}]` : reached;
    return { url: `http://${literal}:${DEFAULT_PORT}`, urlFrom: host === "" ? "default" : "SVC_HOST" };
  }
  const from = flag === undefined ? "SVC_URL" : "--url";
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    throw usage(`${from} takes an address such as http://127.0.0.1:${DEFAULT_PORT}`);
  }
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ""), urlFrom: from };
}

/** Reads the configuration of this machine. Nothing is written. @throws StartupError */
async function configuredCredential(
  env: CommandIo["env"],
  checkoutRoot: string | undefined,
): Promise<Pick<FoundService, "token" | "apiKey" | "credentialFrom">> {
  const { loadDeclared, readEnvironment } = await import("../settings/index.ts");
  const { describeProvenance } = await import("@agent-service/config");
  const { values, provenance } = loadDeclared({ env, checkoutRoot });
  const token = values.auth.token.trim();
  if (token !== "") {
    return { token, credentialFrom: describeProvenance(provenance.get("auth.token") ?? { layer: "default" }) };
  }
  const { apiKey, agentName } = readEnvironment(env);
  return apiKey === undefined ? {} : { apiKey, credentialFrom: `the API key of ${agentName}` };
}
