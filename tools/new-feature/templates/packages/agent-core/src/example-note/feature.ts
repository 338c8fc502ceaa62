import { defineFeature } from "../feature/index.ts";
import { exampleNoteSection } from "./example-note-section.ts";
import { ExampleNoteStore } from "./example-note-store.ts";
import { exampleNoteTools } from "./example-note-tools.ts";

/** Entries that the agent and operators add, kept in the engine's store. */
export const exampleNote = defineFeature({
  name: "exampleNote",
  sections: [exampleNoteSection],
  topics: ["example_note.added"],
  open: ({ db, clock, bus }, { settings }) =>
    new ExampleNoteStore({ db, clock, bus, maxEntries: () => settings.example_note.max_entries }),
  tools: (store) => exampleNoteTools(store),
});
