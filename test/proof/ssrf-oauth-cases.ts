/** Documents of MCP servers and authorization servers that lead a sign-in where it must not go (M13). */

/** One sign-in. The world's web server answers each path with what `pages` has for it, and everything else with 404. */
export interface OauthCase {
  readonly kind: string;
  readonly what: string;
  /** Bodies by path, over those of a sign-in that is well. */
  readonly pages: { readonly [path: string]: object | string };
  /** Answers with a redirect to this address, by path. */
  readonly redirects?: { readonly [path: string]: string };
  /** It may go on at the service's own address. */
  readonly mayStay?: boolean;
}

/** The public host of the server, and of its authorization server. */
export const HOST = "93.184.216.34";
const ORIGIN = `http://${HOST}`;
export const RESOURCE = "/.well-known/oauth-protected-resource/mcp";
export const METADATA = "/.well-known/oauth-authorization-server";

export const WELL: { readonly [path: string]: object } = {
  [RESOURCE]: { resource: `${ORIGIN}/mcp`, authorization_servers: [ORIGIN] },
  [METADATA]: {
    issuer: ORIGIN,
    ...{ authorization_endpoint: `${ORIGIN}/authorize`, token_endpoint: `${ORIGIN}/token` },
    registration_endpoint: `${ORIGIN}/register`,
    ...{ response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] },
  },
  "/register": { client_id: "registered", redirect_uris: ["http://127.0.0.1:9/callback"] },
};

/** Addresses that no document may have requested. */
const INSIDE = [
  ...["http://127.0.0.1:9/x", "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/x", "http://[::1]/x"],
  ...["http://localhost/x", "http://metadata.google.internal/x", "https://192.168.0.1/x", "http://2130706433/x"],
  ...["http://[::ffff:10.0.0.1]/x", "https://0x7f000001/x", "https://user:pw@93.184.216.34/x", "file:///etc/passwd"],
];

const withMetadata = (members: object) => ({ [METADATA]: { ...WELL[METADATA], ...members } });
const withResource = (members: object) => ({ [RESOURCE]: { ...WELL[RESOURCE], ...members } });

/**
 * None may open a socket to another address than the public host's, or end in a page elsewhere. Those that cannot be read
 * as metadata of the service count as none: the service is its own authorization server then, as in 2025-03-26.
 */
export function oauthCases(): readonly OauthCase[] {
  const inside = INSIDE.flatMap((address): readonly OauthCase[] => [
    { kind: "issuer", what: address, pages: withResource({ authorization_servers: [address] }) },
    { kind: "registration", what: address, pages: withMetadata({ registration_endpoint: address }) },
    { kind: "redirected metadata", what: address, pages: {}, redirects: { [METADATA]: address } },
    { kind: "redirected registration", what: address, pages: {}, redirects: { "/register": address } },
  ]);
  const page = (address: string): OauthCase => {
    return { kind: "page", what: address, pages: withMetadata({ authorization_endpoint: address }) };
  };
  const huge = "x".repeat(1024 * 1024);
  return [
    ...inside,
    ...["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "nowhere"].map(page),
    ...["https://other.example/mcp", `${ORIGIN}/mc`, `https://${HOST}/mcp`, `${ORIGIN}:444/mcp`].map(
      (resource): OauthCase => ({ kind: "resource", what: resource, pages: withResource({ resource }) }),
    ),
    { kind: "well", what: "as it should be", pages: {}, mayStay: true },
    { kind: "resource", what: "none", pages: withResource({ resource: "none" }), mayStay: true },
    ...["https://other.example", `${ORIGIN}/x`, `https://${HOST}`, `${ORIGIN}:444`, "", 7, null].map(
      (issuer): OauthCase => ({ kind: "issuer mismatch", what: String(issuer), pages: withMetadata({ issuer }) }),
    ),
    ...[["plain"], [], "S256", undefined, null].map(
      (methods): OauthCase => ({
        ...{ kind: "no PKCE", what: JSON.stringify(methods) ?? "absent" },
        pages: withMetadata({ code_challenge_methods_supported: methods }),
      }),
    ),
    { kind: "huge", what: "metadata", pages: withMetadata({ huge }) },
    { kind: "huge", what: "registration", pages: { "/register": { client_id: "a", huge } } },
    ...["{", "[]", "null", "<html>", ""].map(
      (text): OauthCase => ({ kind: "no JSON", what: JSON.stringify(text), pages: { [METADATA]: text } }),
    ),
  ];
}
