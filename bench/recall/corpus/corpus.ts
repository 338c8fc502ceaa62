import { corrections } from "./corrections.ts";
import { eastAsianNotes } from "./east-asian-notes.ts";
import { generatedNotes } from "./generated-notes.ts";
import type { Collection } from "./note.ts";
import { privateNotes } from "./private-notes.ts";
import { severalSessions } from "./several-sessions.ts";
import { UNANSWERABLE } from "./unanswerable.ts";
import { workshopNotes } from "./workshop-notes.ts";

/** 400 notes and 182 questions: two hundred of the notes written by hand, the others made from patterns with a fixed seed. */
export function corpus(): Collection {
  const parts = [workshopNotes, privateNotes, corrections, severalSessions, eastAsianNotes, generatedNotes(18)];
  const nothing = UNANSWERABLE.map((text) => ({ class: "nothing to find" as const, text, answers: [] }));
  return {
    notes: parts.flatMap(({ notes }) => notes),
    questions: [...parts.flatMap(({ questions }) => questions), ...nothing],
  };
}
