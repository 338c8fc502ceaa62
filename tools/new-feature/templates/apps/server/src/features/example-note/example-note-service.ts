import { randomUUID } from "node:crypto";
import type { ExampleNoteEntry, ExampleNoteStore } from "@agent-service/agent-core/host";
import { type OperatorServices, Problem } from "@agent-service/operator-api";

type Service = NonNullable<OperatorServices["exampleNote"]>;

/** The entries as the operator API shows them. `redact` takes secrets out of a text. */
export function exampleNoteService(store: ExampleNoteStore, redact: (text: string) => string): Service {
  const shown = ({ id, text, createdAt }: ExampleNoteEntry) => ({
    id,
    text: redact(text),
    created_at: new Date(createdAt).toISOString(),
  });
  return {
    list: async (page) => (await store.list(page)).map(shown),
    async add(text, key = randomUUID()) {
      try {
        return shown(await store.add(text, `request:${key}`));
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== "full") throw error;
        throw new Problem(409, "There are as many entries as the settings allow.");
      }
    },
  };
}
