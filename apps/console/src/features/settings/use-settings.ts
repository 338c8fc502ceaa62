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

/** The settings as forms, with the revision they were read at. */
export function useSettings(): UseQueryResult<SettingsSchema> {
  const { operator } = useApi();
  return useQuery(schemaQuery(operator));
}

function schemaQuery(operator: OperatorClient) {
  return { queryKey: ["settings", "schema"], queryFn: () => operator.get("/api/settings/schema") };
}

/** Where values come from in full: the file and line, or the variable. Empty until it is read. */
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

/** Settings to save, and settings to take back to what stands below them. */
export interface SettingsChange {
  /** By key; made of what stands there, where that is a part of it. */
  readonly updates?: Updates | ((schema: SettingsSchema) => Updates);
  readonly reset?: readonly string[];
  readonly layer?: "agent" | "host";
  /** Whether what the person saw still stands. Where it does not, nothing is saved: `OvertakenError`. */
  readonly holds?: (schema: SettingsSchema) => boolean;
}

interface Updates {
  readonly [key: string]: unknown;
}

/** Somebody else changed the same meanwhile. Nothing was saved, and what stands there now is read. */
export class OvertakenError extends Error {
  override readonly name = "OvertakenError";
  readonly code = "overtaken";
  constructor() {
    super("It was changed elsewhere meanwhile, and stands here as it is now.");
  }
}

/**
 * Saves a change, and says when it counts. What stands there is read first, and the save is bound to it, so that nobody's
 * change is replaced unseen (O6). Rejects with `OperatorApiError` or `OvertakenError`; nothing changed then.
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
      const late = keys.filter((key) => saved.restart_required.includes(key));
      notify({
        text: late.length === 0 ? "Saved. It counts now." : `Saved. It counts after a restart: ${late.join(", ")}.`,
        tone: "good",
      });
      await Promise.all(READERS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
}

/** A change of a list among the settings, made of the list as it stands. */
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

/** The texts of a list, whatever else stands there. */
export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** What shows something of the settings. The event says the same, but may come later than the answer. */
const READERS = ["settings", "config", "runtime", "providers", "tools", "subagents", "secrets"] as const;

/** Whether a refusal says that somebody else changed the configuration meanwhile (O6). */
export function isConflict(error: unknown): boolean {
  return error instanceof OperatorApiError && error.status === 409;
}
