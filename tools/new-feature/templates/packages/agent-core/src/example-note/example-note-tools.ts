import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { ExampleNoteStore } from "./example-note-store.ts";

/** `add_example_note(text)`. */
export function exampleNoteTools(store: Pick<ExampleNoteStore, "add">): readonly AnyTool[] {
  return [
    defineTool({
      name: "add_example_note",
      description: "Add an entry that operators read.",
      input: v.object({
        text: v.pipe(
          v.string(),
          v.trim(),
          v.nonEmpty("must not be blank"),
          v.maxLength(4_000),
          v.description("The text of the entry."),
        ),
      }),
      // The id of the call is the entry's source: a call that is made again adds nothing.
      effect: "idempotent",
      async run({ text }, { callId }) {
        const { id } = await store.add(text, `call:${callId}`);
        return `Added as entry ${id}.`;
      },
    }),
  ];
}
