import { OperatorApiError } from "@agent-service/operator-api/client";
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { requestKey, useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import type { SettingsSchema } from "../../schema-form/index.ts";

/** The settings as forms, with the revision they were read at. */
export function useSettings(): UseQueryResult<SettingsSchema> {
  const { operator } = useApi();
  return useQuery({ queryKey: ["settings", "schema"], queryFn: () => operator.get("/api/settings/schema") });
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
  readonly updates?: { readonly [key: string]: unknown };
  readonly reset?: readonly string[];
  readonly layer?: "agent" | "host";
  /** Of what the change is based on; left out, it is made whatever stands there now. */
  readonly revision?: string;
}

/** Saves a change, and says when it counts. Rejects with `OperatorApiError`; nothing changed then. */
export function useSaveSettings(): UseMutationResult<void, Error, SettingsChange> {
  const { operator } = useApi();
  const queries = useQueryClient();
  const tell = useNotices();
  return useMutation({
    mutationFn: async ({ updates = {}, reset = [], layer = "agent", revision }: SettingsChange) => {
      const based = revision === undefined ? {} : { revision };
      const saved =
        reset.length > 0
          ? await operator.post("/api/settings/reset", {
              body: { keys: [...reset], layer, ...based },
              idempotencyKey: requestKey(),
            })
          : await operator.post("/api/settings", { body: { updates, layer, ...based }, idempotencyKey: requestKey() });
      const late = [...Object.keys(updates), ...reset].filter((key) => saved.restart_required.includes(key));
      tell({
        text: late.length === 0 ? "Saved. It counts now." : `Saved. It counts after a restart: ${late.join(", ")}.`,
        tone: "good",
      });
      await Promise.all(READERS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
}

/** What shows something of the settings. The event says the same, but may come later than the answer. */
const READERS = ["settings", "config", "runtime", "providers", "tools", "subagents", "secrets"] as const;

/** Whether a refusal says that somebody else changed the configuration meanwhile (ruling O6). */
export function isConflict(error: unknown): boolean {
  return error instanceof OperatorApiError && error.status === 409;
}
