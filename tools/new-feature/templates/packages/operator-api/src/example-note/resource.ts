import { defineResource } from "../resource/index.ts";
import { addExampleNote, exampleNoteRoutes, listExampleNote } from "./routes.ts";

/** Entries that the agent and operators add. */
export const exampleNote = defineResource({
  name: "exampleNote",
  feature: "exampleNote",
  definitions: [listExampleNote, addExampleNote],
  topics: [{ topic: "example_note.added", when: "An entry was added", data: "`id`" }],
  routes: exampleNoteRoutes,
});
