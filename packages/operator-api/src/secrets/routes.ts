import type { InferOutput } from "valibot";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";
import { secretsStatusSchema, secretsTestResultSchema, secretsTestSchema } from "./schema.ts";

const tag = "Secrets";

export const readSecretsStatus = defineRoute({
  name: "secrets.status",
  method: "GET",
  path: "/api/secrets/status",
  tag,
  summary: "The outcome of the last fetch from the external secrets manager",
  reply: json(secretsStatusSchema),
});

export const syncSecrets = defineRoute({
  name: "secrets.sync",
  method: "POST",
  path: "/api/secrets/sync",
  tag,
  summary: "Fetches from the external secrets manager now",
  description: "A fetch that fails keeps the values there are; the answer then has `ok: false`.",
  reply: json(secretsStatusSchema),
  failures: { 400: "No secrets manager is enabled.", 502: "The secrets manager is required and cannot be read." },
});

export const testSecrets = defineRoute({
  name: "secrets.test",
  method: "POST",
  path: "/api/secrets/test",
  tag,
  summary: "Tries settings of the external secrets manager without applying anything",
  description: "The stored identity is sent to the stored address only: another `host` needs an identity of its own.",
  mutates: false,
  body: secretsTestSchema,
  bodyOptional: true,
  reply: json(secretsTestResultSchema),
});

type SecretsStatus = ReplyInput<typeof readSecretsStatus.reply>;

/** Implemented by the service. */
export interface SecretsService {
  status(): SecretsStatus;
  /** Whether a manager that cannot be read is an error. */
  required(): boolean;
  /** Fetches now; never rejects. */
  sync(): Promise<SecretsStatus>;
  /** Never rejects, and applies nothing. */
  test(overrides: InferOutput<typeof secretsTestSchema>): Promise<ReplyInput<typeof testSecrets.reply>>;
}

export function secretsRoutes(secrets: SecretsService): readonly ServedRoute[] {
  return [
    serve(readSecretsStatus, () => secrets.status()),
    serve(syncSecrets, async () => {
      if (!secrets.status().enabled) throw new Problem(400, "No secrets manager is enabled.");
      const status = await secrets.sync();
      if (status.ok !== true && secrets.required())
        throw new Problem(502, status.error ?? "The secrets manager cannot be read.");
      return status;
    }),
    serve(testSecrets, ({ body }) => secrets.test(body)),
  ];
}
