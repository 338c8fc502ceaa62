import { QUIET_GIT } from "../git-read/index.ts";
import type { RepositoryAddress } from "./repository-address.ts";

/** What a clone is started with. */
export interface CloneCommand {
  readonly argv: readonly [string, ...string[]];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Clones from checked addresses only, and runs nothing of the repository: no hooks, templates, submodules, filters,
 * redirects, prompts or helpers. `addresses` are those of the host, as they were checked.
 */
export function cloneCommand(
  repository: RepositoryAddress,
  addresses: readonly string[],
  into: string,
  home: string,
): CloneCommand {
  const { protocol, host, port, url } = repository;
  const isName = addresses.length > 0 && !addresses.includes(host);
  const resolved = addresses.map((address) => (address.includes(":") ? `[${address}]` : address)).join(",");
  const settings = {
    "http.followRedirects": "false",
    "http.proxy": "",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "credential.helper": "",
    "transfer.bundleURI": "false",
    "submodule.recurse": "false",
    "protocol.allow": "never",
    [`protocol.${protocol}.allow`]: "always",
    ...(isName && protocol !== "ssh" ? { "http.curloptResolve": `${host}:${port}:${resolved}` } : {}),
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return {
    argv: [
      "git",
      "--no-pager",
      ...options,
      "clone",
      "--quiet",
      "--no-recurse-submodules",
      "--template=",
      "--",
      url,
      into,
    ],
    variables: {
      ...QUIET_GIT,
      GIT_LFS_SKIP_SMUDGE: "1",
      GIT_ALLOW_PROTOCOL: protocol,
      // Of the user's home only ssh gets to see something: the keys that it identifies itself by.
      ...(protocol === "ssh"
        ? { GIT_SSH_COMMAND: sshCommand(repository, addresses[0]!), GIT_SSH_VARIANT: "ssh" }
        : { HOME: home }),
    },
  };
}

/** Host and address hold letters, digits, dots, minuses and colons only. A shell reads the command: brackets are quoted. */
function sshCommand({ host, port }: RepositoryAddress, address: string): string {
  const options = {
    HostName: address,
    // As known_hosts names it: with an alias ssh does not add the port itself.
    HostKeyAlias: port === 22 ? host : `[${host}]:${port}`,
    CheckHostIP: "no",
    BatchMode: "yes",
    StrictHostKeyChecking: "yes",
    ConnectTimeout: "30",
    ProxyCommand: "none",
    PermitLocalCommand: "no",
    ForwardAgent: "no",
    ClearAllForwardings: "yes",
  };
  return ["ssh", "-F", "none", ...Object.entries(options).flatMap(([key, value]) => ["-o", `'${key}=${value}'`])].join(
    " ",
  );
}
