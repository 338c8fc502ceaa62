/** Who may ask the service, with which credential, and from where. */
const credentials: readonly (readonly [name: string, headers: Record<string, string>])[] = [
  ["none", {}],
  ["wrong bearer", { authorization: "Bearer nope" }],
  ["bearer", { authorization: "Bearer tok" }],
  ["wrong key", { "x-api-key": "nope" }],
  ["key", { "x-api-key": "key" }],
  ["federation", { authorization: "Bearer fed" }],
];
const hosts = ["localhost:7870", "trusted.example", "public.example", "evil.example"] as const;
const origins: readonly (readonly [name: string, headers: Record<string, string>])[] = [
  ["none", {}],
  ["own", { origin: "http://trusted.example" }],
  ["listed", { origin: "https://listed.example", "sec-fetch-site": "cross-site" }],
  ["foreign", { origin: "https://evil.example" }],
];

/** Hosts and pages a request names as where it goes and where it comes from. */
export interface Sources {
  readonly fromHosts: readonly string[];
  readonly fromOrigins: typeof origins;
}

export const everywhere: Sources = { fromHosts: hosts, fromOrigins: origins };
export const fromHome: Sources = { fromHosts: [hosts[0]], fromOrigins: [origins[0]!] };
export const fromAStrangeHost: Sources = { fromHosts: [hosts[0], hosts[3]], fromOrigins: [origins[0]!] };
export const fromAStrangePage: Sources = { fromHosts: [hosts[0]], fromOrigins: [origins[0]!, origins[3]!] };

/** Who asks, and from where. */
export interface Requester {
  readonly credential: string;
  readonly host: string;
  readonly origin: string;
  readonly headers: { readonly [name: string]: string };
}

/** Every credential from each of the sources. */
export function requestersFrom({ fromHosts, fromOrigins }: Sources): readonly Requester[] {
  return credentials.flatMap(([credential, own]) =>
    fromHosts.flatMap((host) =>
      fromOrigins.map(([origin, page]) => ({
        ...{ credential, host, origin },
        headers: { host, ...own, ...page, "content-length": "0" },
      })),
    ),
  );
}
