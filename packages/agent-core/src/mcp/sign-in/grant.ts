import * as v from "valibot";

const schema = v.object({
  /** Where the tokens came from, and whom they are for (MC5). */
  issuer: v.string(),
  resource: v.string(),
  clientId: v.string(),
  /** Of a client that the authorization server registered, or that was configured when the operator signed in. */
  clientSecret: v.optional(v.string()),
  scope: v.optional(v.string()),
  accessToken: v.string(),
  refreshToken: v.optional(v.string()),
  /** Epoch milliseconds; absent: the server did not say. */
  expiresAt: v.optional(v.number()),
  /** What the server wanted of a request beyond what the token may do, and where it said that its metadata is. */
  lacking: v.optional(v.object({ more: v.array(v.string()), metadataUrl: v.optional(v.string()) })),
});

/** What a sign-in to a server left: its tokens, and for whom they are. */
export type Grant = v.InferOutput<typeof schema>;

/** A grant as it is stored; undefined: the text is none. */
export function readGrant(text: string | undefined): Grant | undefined {
  if (text === undefined) return undefined;
  try {
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : undefined;
  } catch {
    return undefined;
  }
}

/** Rights of a sign-in that are asked for; more would fit no address. */
const MAX_RIGHTS = 100;

/** The rights that scopes name, each once. */
export function rightsOf(...scopes: readonly (string | undefined)[]): string[] {
  const all = scopes.flatMap((scope) => scope?.split(" ") ?? []);
  return [...new Set(all)].filter((one) => one !== "").slice(0, MAX_RIGHTS);
}

/** The secrets of a stored grant, for the redactor. */
export function grantSecrets(text: string): readonly string[] {
  const grant = readGrant(text);
  if (grant === undefined) return [];
  return [grant.accessToken, grant.refreshToken, grant.clientSecret].filter((one) => one !== undefined);
}

/** The tokens of an answer of the authorization server. Of what it leaves out, the former stays. */
export function grantOf(
  tokens: {
    access_token: string;
    refresh_token?: string | undefined;
    expires_in?: number | undefined;
    scope?: string | undefined;
  },
  before: Omit<Grant, "accessToken" | "expiresAt">,
  now: number,
): Grant {
  const { expiresAt: _, ...known } = before as Grant;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = tokens;
  return {
    ...known,
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(seconds !== undefined && { expiresAt: now + seconds * 1_000 }),
  };
}
