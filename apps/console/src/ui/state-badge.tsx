import { CircleCheck, CircleDashed, CircleDot, CirclePause, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";

/** The states of work that the console distinguishes. */
export type WorkState = "queued" | "working" | "waiting" | "completed" | "failed" | "canceled";

interface Look {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly colour: string;
}

/** Colour, icon and label together, the same everywhere: a state is never only a colour. */
const LOOKS: Readonly<Record<WorkState, Look>> = {
  queued: { icon: CircleDashed, label: "Queued", colour: "text-ink-soft" },
  working: { icon: CircleDot, label: "Working", colour: "text-accent" },
  waiting: { icon: CirclePause, label: "Waiting for you", colour: "text-waiting" },
  completed: { icon: CircleCheck, label: "Completed", colour: "text-good" },
  failed: { icon: CircleX, label: "Failed", colour: "text-bad" },
  canceled: { icon: CircleSlash, label: "Canceled", colour: "text-ink-soft" },
};

/** The console's state for one of the API; an unknown one is shown as working. */
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

/** A state as icon and label. `label`: another than the usual one, where the action that leads to the state has another name. */
export function StateBadge({
  state,
  short = false,
  label = LOOKS[state].label,
}: {
  readonly state: WorkState;
  readonly short?: boolean;
  readonly label?: string;
}): ReactElement {
  const { icon: Icon, colour } = LOOKS[state];
  return (
    <span className={classNames("inline-flex items-center gap-1 text-sm font-medium whitespace-nowrap", colour)}>
      <Icon aria-hidden className={classNames("size-4 shrink-0", state === "working" && "animate-pulse")} />
      <span className={short ? "sr-only" : undefined}>{label}</span>
    </span>
  );
}
