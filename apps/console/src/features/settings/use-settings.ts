import { OperatorApiError, type OperatorClient } from "@agent-service/operator-api/client";
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { requestKey, useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import type { FieldSpec, SettingsSchema } from "../../schema-form/index.ts";

/** The settings as forms, with their revision. */
export function useSettings(): UseQueryResult<SettingsSchema> {
  const { operator } = useApi();
  return useQuery(schemaQuery(operator));
}

/** The query of the settings as forms. */
export function schemaQuery(operator: OperatorClient) {
  return { queryKey: ["settings", "schema"], queryFn: () => operator.get("/api/settings/schema") };
}

/** Full sources of values: the file and line, or the variable. Empty until read. */
export function useSources(): ReadonlyMap<string, string> {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["config", "explain"],
    queryFn: async () => {
      const { values } = await operator.get("/api/config/explain", { query: { limit: 1000 } });
      return new Map(values.filter(({ source }) => source !== "").map(({ key, source }) => [key, source]));
    },
  });
  return data ?? NONE;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Settings to save, and settings to reset to the layer below. */
export interface SettingsChange {
  /** By key; a function derives it from the current value. */
  readonly updates?: Updates | ((schema: SettingsSchema) => Updates);
  readonly reset?: readonly string[];
  readonly layer?: "agent" | "host";
  /** Whether the settings are still as the person saw them. Otherwise nothing is saved: `OvertakenError`. */
  readonly holds?: (schema: SettingsSchema) => boolean;
}

interface Updates {
  readonly [key: string]: unknown;
}

/** The same was changed elsewhere meanwhile. Nothing was saved; the current values were read. */
export class OvertakenError extends Error {
  override readonly name = "OvertakenError";
  readonly code = "overtaken";
  constructor() {
    super("It was changed elsewhere meanwhile. The current value is shown now.");
  }
}

/**
 * Saves a change, and shows when it takes effect. The current values are read first and the save names their revision, so that no other
 * change is overwritten unseen (O6). Rejects with `OperatorApiError` or `OvertakenError`; nothing changed then.
 */
export function useSaveSettings(): UseMutationResult<void, Error, SettingsChange> {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  return useMutation({
    mutationFn: async ({ updates = {}, reset = [], layer = "agent", holds = () => true }: SettingsChange) => {
      const attempt = async () => {
        const schema = await queries.fetchQuery({ ...schemaQuery(operator), staleTime: 0 });
        if (!holds(schema)) throw new OvertakenError();
        const { revision } = schema;
        const idempotencyKey = requestKey();
        if (reset.length > 0) {
          const body = { keys: [...reset], layer, revision };
          return { keys: reset, saved: await operator.post("/api/settings/reset", { body, idempotencyKey }) };
        }
        const values = typeof updates === "function" ? updates(schema) : updates;
        const body = { updates: values, layer, revision };
        return { keys: Object.keys(values), saved: await operator.post("/api/settings", { body, idempotencyKey }) };
      };
      const { keys, saved } = await attempt().catch((error: unknown) => {
        if (isConflict(error)) return attempt();
        throw error;
      });
      const delayed = keys.filter((key) => saved.restart_required.includes(key));
      notify({
        text:
          delayed.length === 0
            ? "Saved. It is in effect now."
            : `Saved. It takes effect after a restart: ${delayed.join(", ")}.`,
        tone: "good",
      });
      await Promise.all(READERS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
}

/** A change of a list among the settings, derived from the current list. */
export function editList(
  key: string,
  edit: (list: readonly string[]) => readonly string[],
): Pick<SettingsChange, "updates"> {
  return { updates: (schema) => ({ [key]: edit(listOf(fieldOf(schema, key)?.value)) }) };
}

/** A field of the settings by its key. */
export function fieldOf({ groups }: SettingsSchema, key: string): FieldSpec | undefined {
  return groups.flatMap(({ fields }) => fields).find((one) => one.key === key);
}

/** The texts of a list; other entries are left out. */
export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Marks the queries that show settings as stale. An event does so too, but may arrive after the response. */
const READERS = ["settings", "config", "runtime", "providers", "tools", "subagents", "secrets"] as const;

/** Whether a refusal means that the configuration was changed elsewhere meanwhile (O6). */
export function isConflict(error: unknown): boolean {
  return error instanceof OperatorApiError && error.status === 409;
}
