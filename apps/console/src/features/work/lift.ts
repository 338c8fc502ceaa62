import { type IssueStatus, labelOf, STATUSES } from "./issue.ts";

/** An issue that is being moved to another column, by pointer or by keys. */
export interface Lift {
  readonly id: string;
  readonly title: string;
  readonly from: IssueStatus;
  readonly over: IssueStatus;
  readonly by: "keys" | "pointer";
}

/** The step that a key causes while an issue is moved. Undefined: none. */
export type LiftStep =
  | { readonly to: "carry"; readonly lift: Lift }
  | { readonly to: "drop"; readonly lift: Lift }
  | { readonly to: "cancel"; readonly lift: Lift };

/** Arrows choose the column, space or enter drops, escape and tab put it back. */
export function stepLift(lift: Lift, key: string): LiftStep | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight": {
      const now = STATUSES.findIndex(({ value }) => value === lift.over);
      const next = STATUSES[Math.min(STATUSES.length - 1, Math.max(0, now + (key === "ArrowLeft" ? -1 : 1)))];
      return { to: "carry", lift: { ...lift, over: next?.value ?? lift.over } };
    }
    case " ":
    case "Enter":
      return { to: "drop", lift };
    case "Escape":
    case "Tab":
      return { to: "cancel", lift };
    default:
      return undefined;
  }
}

/** The announcement of a step for screen readers. */
export function liftAnnouncement(step: LiftStep): string {
  const { title, from, over } = step.lift;
  const column = labelOf(STATUSES, over);
  if (step.to === "carry") return `${title}: over ${column}. Arrows choose the column, space drops, escape puts back.`;
  if (step.to === "cancel" || from === over) return `${title} stays in ${labelOf(STATUSES, from)}.`;
  return `${title} moved to ${column}.`;
}
