/** What operators of a trial have the agent remember. */
import type { Random } from "../random.ts";

/** How it comes in: as a memory, a line of an import, a document, a conversation whose turns remember it, or a skill. */
export type ThingKind = "memory" | "line" | "document" | "conversation" | "skill";

/** `asked`: the answer was lost. */
export type Known = "no" | "asked" | "yes";

/** Something that is remembered, and may be forgotten. */
export interface Thing {
  readonly kind: ThingKind;
  /** Stands in every text of it, and in no other. */
  readonly word: string;
  /** Of a conversation, which holds no word of it: ids stay in numbers, receipts and other conversations' frames (K12). */
  readonly session: string;
  made: Known;
  gone: Known;
  /** Of a memory or a document, as it was answered. */
  id: number | undefined;
  /** Of a skill or a fact that is corrected: the version that was last confirmed, and the newest that was asked for. */
  version: number;
  asked: number;
}

/** Parts of a document, each of which is one memory. */
export const PARTS = 12;

/** Letters alone, so that it is one word to every index. */
export function drawThing(random: Random): Thing {
  const kind = random.pick(["memory", "line", "document", "conversation", "conversation", "skill"] as const);
  const word = `quok${Array.from({ length: 12 }, () => String.fromCharCode(97 + random.int(0, 25))).join("")}`;
  const session = `talk-${random.int(0, 1e9)}`;
  return { kind, word, session, made: "no", gone: "no", id: undefined, version: 0, asked: 0 };
}

/** What is remembered of it. Questions about the river of a topic find it, and do not name it. */
export function contentOf({ word }: Thing, topic: string, version: number): string {
  return `${word} lives by the ${topic} river, as edition ${version} has it.`;
}

/** A document with a heading for each part. */
export function documentOf(thing: Thing, topic: string): string {
  const part = (i: number): string => `## Part ${i}\n\n${contentOf(thing, topic, i)} ${"filler ".repeat(25)}`;
  return Array.from({ length: PARTS }, (_, i) => part(i)).join("\n\n");
}
