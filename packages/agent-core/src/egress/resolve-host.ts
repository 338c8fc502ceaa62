/**
 * Resolves a name to all its addresses. The port behind which tests put their own names. May reject; what it rejects
 * with is not shown to anyone.
 */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Asks the system's resolver, hosts file included: the same answer any other connection would get. */
export const resolveBySystem: ResolveHost = async (host) => {
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(host, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
};
