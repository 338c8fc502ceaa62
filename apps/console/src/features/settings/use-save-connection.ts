import { useMutation, useQueryClient } from "@tanstack/react-query";
import { requestKey, useApi } from "../../api/index.ts";
import { type ConnectionDraft, credentialOf, isSubscription } from "../../connections/index.ts";
import { useNotices } from "../../notices/index.ts";
import { failureOf } from "../../ui/index.ts";
import type { Connection } from "./connection.ts";

interface ConnectionSave {
  readonly draft: ConnectionDraft;
  readonly id: string;
  /** Its model becomes the default. */
  readonly leads: boolean;
  /** The stored key is deleted. */
  readonly keyless: boolean;
}

/** Saves a connection, new where `edited` is undefined, and makes its model the default where that is chosen. */
export function useSaveConnection(edited: Connection | undefined) {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  return useMutation({
    mutationFn: async ({ draft, id, leads, keyless }: ConnectionSave) => {
      const { type, baseUrl, apiKey, model } = draft;
      const credential = isSubscription(type) ? credentialOf(draft) : undefined;
      const fields = {
        ...(credential !== undefined && { credential }),
        ...(baseUrl.trim() !== (edited?.base_url ?? "") && { base_url: baseUrl.trim() }),
        ...(!isSubscription(type) && apiKey.trim() !== "" && { api_key: apiKey.trim() }),
        ...(keyless && apiKey.trim() === "" && { api_key: null }),
      };
      const saved =
        edited === undefined
          ? await operator.post("/api/providers", {
              body: { id, type, ...fields },
              idempotencyKey: requestKey(),
            })
          : await operator.put("/api/providers/{id}", { params: { id }, body: fields });
      if (leads) {
        const updates = { "model.name": `${id}:${model.trim()}` };
        try {
          await operator.post("/api/settings", { body: { updates }, idempotencyKey: requestKey() });
        } catch (cause) {
          const { message } = failureOf(cause);
          throw new Error(`The connection is saved, but its model could not be made the default: ${message}`, {
            cause,
          });
        }
      }
      return saved;
    },
    onSuccess: ({ messages, provider }) => {
      // The first message lists keys of the file; the others are for operators.
      const more = messages.filter((one) => !one.startsWith("Saved: "));
      notify({ text: [`Saved the connection ${provider.id}.`, ...more].join(" "), tone: "good" });
    },
    onSettled: () =>
      Promise.all(["providers", "settings", "runtime"].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}
