interface Server {
  readonly name: string;
  readonly state: string;
  readonly auth: string;
  readonly enabled: boolean;
  readonly held_count: number;
}

/** One sentence about the servers that wait for a person, and the page where that is decided. */
export interface ServersWaiting {
  readonly text: string;
  readonly action: string;
  readonly to: string;
}

/** What waits at MCP servers: changed definitions, and sign-ins. Undefined: nothing. */
export function serversWaiting(servers: readonly Server[]): ServersWaiting | undefined {
  const on = servers.filter(({ enabled }) => enabled);
  const held = on.filter(({ held_count: count }) => count > 0);
  const signedOut = on.filter(({ state, auth }) => state === "needs_auth" || auth === "needed" || auth === "expired");
  const concerned = [...new Set([...held, ...signedOut])];
  const [first] = concerned;
  if (first === undefined) return undefined;
  const texts = [
    held.length > 0 && `${namesOf(held)} changed what ${held.length === 1 ? "it offers" : "they offer"}.`,
    signedOut.length > 0 && `${namesOf(signedOut)} ${signedOut.length === 1 ? "needs" : "need"} a sign-in.`,
  ];
  return {
    text: texts.filter(Boolean).join(" "),
    action: held.length > 0 ? "Look at the changes" : "Sign in",
    to: `/extensions/mcp${concerned.length === 1 ? `/${encodeURIComponent(first.name)}` : ""}`,
  };
}

/** Names that fit on a line. */
const NAMED = 3;

function namesOf(servers: readonly Server[]): string {
  const names = servers.slice(0, NAMED).map(({ name }) => name);
  const more = servers.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
