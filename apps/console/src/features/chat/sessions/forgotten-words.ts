import { count } from "../../../ui/index.ts";

/** How much of a conversation is in memory. */
export interface ForgottenCounts {
  readonly chunks: number;
  readonly frames: number;
  readonly summaries: number;
  readonly sources: number;
  readonly attachments: number;
}

const WORDS: { readonly [C in keyof ForgottenCounts]: readonly [one: string, several: string] } = {
  chunks: ["memory", "memories"],
  summaries: ["summary", "summaries"],
  sources: ["document", "documents"],
  attachments: ["attached document", "attached documents"],
  frames: ["place in conversations that were shown it", "places in conversations that were shown it"],
};

/** What goes when a conversation is forgotten, in words; undefined: nothing, or it is not known yet. */
export function forgottenWords(counts: ForgottenCounts | undefined): string | undefined {
  if (counts === undefined) return undefined;
  const parts = Object.entries(WORDS).flatMap(([name, [one, several]]) => {
    const number = counts[name as keyof ForgottenCounts];
    return number === 0 ? [] : [`${count(number)} ${number === 1 ? one : several}`];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** What works for a conversation, and ends when it is deleted. */
export interface EndedCounts {
  readonly goals: number;
  readonly watches: number;
  readonly schedules: number;
}

/** What ends with a conversation, in words; undefined: nothing does. */
export function endedWords({ goals, watches, schedules }: EndedCounts): string | undefined {
  const parts = [
    goals > 0 && "its goal",
    watches > 0 && (watches === 1 ? "1 watch" : `${count(watches)} watches`),
    schedules > 0 && (schedules === 1 ? "1 schedule" : `${count(schedules)} schedules`),
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : `Deleting it also removes ${parts.join(", ")}; clearing it keeps them.`;
}

/** What stays of a deleted conversation, for a notice; undefined: nothing does. */
export function keptWords({
  skills,
  facts,
}: {
  readonly skills: readonly string[];
  readonly facts: number | null;
}): string | undefined {
  const kept = [
    facts !== null && facts > 0 && (facts === 1 ? "1 memory" : `${count(facts)} memories`),
    skills.length > 0 && `${skills.length === 1 ? "the skill" : "the skills"} ${skills.join(", ")}`,
  ].filter((part) => part !== false);
  return kept.length === 0 ? undefined : `The chat is deleted. Of it stay: ${kept.join(" and ")}.`;
}
