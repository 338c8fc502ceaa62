import { holdsOutside, quotedEvidence } from "../verifier/index.ts";
import type { FireKind, Watch } from "./watch.ts";

/** Whether what a watch says may hold what others wrote. */
export function isFromOutside({ check, outside }: Pick<Watch, "check" | "outside">): boolean {
  return outside || holdsOutside(check);
}

/** The message that a reaction begins with (G20): evidence stands in it as data. */
export function reactionText(
  watch: Watch,
  { fires, attempt, reason, evidence }: { fires: number; attempt: number; reason: string; evidence: string },
): string {
  const more = fires > 1 ? ` It fired ${fires} times since the reaction before.` : "";
  const again = attempt > 1 ? ["(An earlier reaction to this was interrupted by a restart of the service.)"] : [];
  return [
    `(A reaction of the watch ${watch.id}.${more} The watch exists already: do not set it again.)`,
    ...again,
    `Watched: ${watch.condition}`,
    ...quotedEvidence(reason, evidence),
    "",
    watch.runPrompt ?? "",
  ].join("\n");
}

const SAYS: { readonly [kind in FireKind]: string } = {
  met: "The condition holds now.",
  change: "What is watched has changed.",
  expired: "Its time is over: it is not watched any more.",
  stalled: "Nothing has changed for a while.",
};

/** What a conversation reads of a fire that starts no turn. */
export function noticeText(watch: Watch, kind: FireKind, found: { reason: string; evidence: string }): string {
  const lines = [`Watch ${watch.id}: ${watch.condition}`, SAYS[kind]];
  return kind === "expired" ? lines.join("\n") : [...lines, ...quotedEvidence(found.reason, found.evidence)].join("\n");
}
