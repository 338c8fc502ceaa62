import { CircleCheck, CircleDashed, CircleDot, CirclePause, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";

/** What work can be doing, in the console's words. */
export type WorkState = "queued" | "working" | "waiting" | "completed" | "failed" | "canceled";

interface Look {
  readonly icon: LucideIcon;
  readonly word: string;
  readonly colour: string;
}

/** Colour, icon and word together, the same everywhere: a state is never only a colour. */
const LOOKS: Readonly<Record<WorkState, Look>> = {
  queued: { icon: CircleDashed, word: "Queued", colour: "text-ink-soft" },
  working: { icon: CircleDot, word: "Working", colour: "text-accent" },
  waiting: { icon: CirclePause, word: "Waiting for you", colour: "text-waiting" },
  completed: { icon: CircleCheck, word: "Completed", colour: "text-good" },
  failed: { icon: CircleX, word: "Failed", colour: "text-bad" },
  canceled: { icon: CircleSlash, word: "Canceled", colour: "text-ink-soft" },
};

/** The console's word for a state of the API; what is not known reads as working. */
export function workState(state: string): WorkState {
  switch (state) {
    case "queued":
    case "submitted":
      return "queued";
    case "input-required":
    case "parked":
    case "waiting":
      return "waiting";
    case "completed":
    case "failed":
    case "canceled":
      return state;
    default:
      return "working";
  }
}

/** A state as icon and word. */
export function StateBadge({
  state,
  short = false,
}: {
  readonly state: WorkState;
  readonly short?: boolean;
}): ReactElement {
  const { icon: Icon, word, colour } = LOOKS[state];
  return (
    <span className={classNames("inline-flex items-center gap-1 text-sm font-medium whitespace-nowrap", colour)}>
      <Icon aria-hidden className={classNames("size-4 shrink-0", state === "working" && "animate-pulse")} />
      <span className={short ? "sr-only" : undefined}>{word}</span>
    </span>
  );
}
