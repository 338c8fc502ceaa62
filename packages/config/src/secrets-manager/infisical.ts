import * as v from "valibot";
import { SecretsError, type SecretsProvider } from "./secrets-provider.ts";

const loginSchema = v.object({ accessToken: v.pipe(v.string(), v.minLength(1), v.maxLength(16_384)) });

const MAX_SECRETS = 10_000;
const secretSchema = v.object({
  secretKey: v.string(),
  secretValue: v.optional(v.string(), ""),
  /** True where the identity may see the name only; the value is then a placeholder. */
  secretValueHidden: v.optional(v.boolean(), false),
  secretPath: v.optional(v.string(), "/"),
});
const secretsSchema = v.pipe(v.array(secretSchema), v.maxLength(MAX_SECRETS));
const listSchema = v.object({
  secrets: secretsSchema,
  imports: v.optional(v.nullable(v.array(v.object({ secrets: secretsSchema }))), []),
});

type Listed = v.InferOutput<typeof secretSchema>;

/**
 * The Infisical wire: universal auth, then the list of a folder, and of those below it where `recursive` is set
 * (B71). A secret counts before an imported one, one nearer to the folder before one
 * further down, a later import before an earlier one, as Infisical's own clients have it.
 */
export const infisical: SecretsProvider = async (source, send) => {
  const login = await send({
    method: "POST",
    path: "/api/v1/auth/universal-auth/login",
    body: { clientId: source.clientId, clientSecret: source.clientSecret },
  });
  const { accessToken } = read(loginSchema, login);
  const answer = await send({
    method: "GET",
    path: "/api/v3/secrets/raw",
    query: {
      workspaceId: source.projectId,
      environment: source.environment,
      secretPath: source.path,
      recursive: String(source.recursive),
      include_imports: "true",
      expandSecretReferences: "true",
    },
    bearer: accessToken,
  });
  const list = read(listSchema, answer);
  const imported = [...(list.imports ?? [])].reverse().flatMap(({ secrets }) => secrets);
  const values = new Map<string, string>();
  for (const { secretKey, secretValue, secretValueHidden } of [...nearestFirst(list.secrets), ...imported])
    if (!secretValueHidden && !values.has(secretKey)) values.set(secretKey, secretValue);
  return values;
};

function nearestFirst(secrets: readonly Listed[]): Listed[] {
  const depth = ({ secretPath }: Listed): number => secretPath.split("/").filter((step) => step !== "").length;
  return secrets.toSorted(
    (a, b) => depth(a) - depth(b) || (a.secretPath < b.secretPath ? -1 : a.secretPath > b.secretPath ? 1 : 0),
  );
}

/** The error names no part of a response that does not fit: its parts are secrets. */
function read<TSchema extends v.GenericSchema>(schema: TSchema, answer: unknown): v.InferOutput<TSchema> {
  const parsed = v.safeParse(schema, answer, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new SecretsError("bad_response", "the manager's answer does not have the shape of Infisical's");
}
