export { type CheckpointSectionValue, checkpointSection } from "./checkpoint-section.ts";
export { type JournalSectionValue, journalSection } from "./journal-section.ts";
