import * as v from "valibot";
import type { FetchLike, RequestBounds } from "./bounded-requests.ts";
import { fetchSecrets } from "./fetch-secrets.ts";
import { type SecretsManagerSectionValue, secretsManagerSection } from "./secrets-manager-section.ts";
import { SecretsError, type SecretsErrorKind } from "./secrets-provider.ts";

/** Settings that are not saved yet; what is left out or blank is as saved. */
export interface SecretsTestOverrides {
  readonly provider?: string | undefined;
  readonly host?: string | undefined;
  readonly project_id?: string | undefined;
  readonly environment?: string | undefined;
  readonly path?: string | undefined;
  readonly recursive?: boolean | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly timeout_seconds?: number | undefined;
}

/** What a test found; nothing was applied. */
export interface SecretsTestResult {
  readonly ok: boolean;
  readonly error: string | null;
  readonly error_kind: SecretsErrorKind | null;
  readonly count: number;
  /** The first 100 names. */
  readonly names: readonly string[];
}

const MAX_NAMES = 100;

/** Tries settings over the stored ones without applying anything. Never rejects. */
export async function testSecrets(
  stored: SecretsManagerSectionValue,
  { timeout_seconds: seconds, ...overrides }: SecretsTestOverrides,
  { fetch, timeoutMs, signal }: RequestBounds & { readonly fetch: FetchLike },
): Promise<SecretsTestResult> {
  try {
    const bounds = { timeoutMs: seconds === undefined ? timeoutMs : seconds * 1000, ...(signal && { signal }) };
    const values = await fetchSecrets(withOverrides(stored, overrides), fetch, bounds);
    const names = [...values.keys()].sort().slice(0, MAX_NAMES);
    return { ok: true, error: null, error_kind: null, count: values.size, names };
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    return { ok: false, error: error.message, error_kind: error.kind, count: 0, names: [] };
  }
}

/** Another address gets the identity that was entered with it, never the stored one (invariant 4). */
function withOverrides(
  stored: SecretsManagerSectionValue,
  overrides: Omit<SecretsTestOverrides, "timeout_seconds">,
): SecretsManagerSectionValue {
  const given = Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = v.safeParse(secretsManagerSection.schema, { ...stored, ...given }, { abortEarly: true });
  // Which one is wrong, not what was given: it may be the secret.
  if (!parsed.success)
    throw new SecretsError("not_configured", `a wrong value: ${v.getDotPath(parsed.issues[0]) ?? "settings"}`);
  const wanted = parsed.output;
  if (wanted.host === stored.host) return wanted;
  if (given.client_id === undefined || given.client_secret === undefined)
    throw new SecretsError(
      "not_configured",
      "the stored identity is sent to the stored address only: give client_id and client_secret with another host",
    );
  return wanted;
}
