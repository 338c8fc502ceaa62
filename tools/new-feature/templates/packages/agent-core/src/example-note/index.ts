export { exampleNoteSection } from "./example-note-section.ts";
export type { ExampleNoteEntry, ExampleNoteStore } from "./example-note-store.ts";
export { exampleNote } from "./feature.ts";
