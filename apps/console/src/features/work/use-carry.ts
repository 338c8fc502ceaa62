import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { type Issue, type IssueStatus, STATUSES } from "./issue.ts";
import { type Lift, type LiftStep, liftAnnouncement, stepLift } from "./lift.ts";

/** Pixels a pointer moves before it drags: less is a click. */
const SLACK_PX = 6;
/** Distance from the board's side, in pixels, at which a dragged card makes it scroll. */
const EDGE_PX = 40;

interface Press {
  readonly issue: Issue;
  readonly card: HTMLElement;
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  lift: Lift | undefined;
}

/** Carries issues between columns. */
export interface Carry {
  readonly lift: Lift | undefined;
  /** The last step, for screen readers. */
  readonly announcement: string;
  /** The issue whose card takes the focus when it appears: it was dropped by keys. */
  readonly focus: { current: string | undefined };
  readonly keyDown: (event: KeyboardEvent<HTMLElement>, issue: Issue) => void;
  readonly blur: () => void;
  readonly pointerDown: (event: PointerEvent<HTMLElement>, issue: Issue) => void;
  /** Whether a click is the end of a drag, so that it opens nothing. */
  readonly endedDrag: (click: MouseEvent) => boolean;
}

/** Moves issues by pointer and by keys; `move` is called with the column where one was dropped. */
export function useCarry(move: (id: string, to: IssueStatus) => void): Carry {
  const [lift, setLift] = useState<Lift | undefined>(undefined);
  const [announcement, setAnnouncement] = useState("");
  const focus = useRef<string>(undefined);
  const dragged = useRef(false);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const take = (step: LiftStep): void => {
    setAnnouncement(liftAnnouncement(step));
    setLift(step.to === "carry" ? step.lift : undefined);
    if (step.to !== "drop" || step.lift.from === step.lift.over) return;
    if (step.lift.by === "keys") focus.current = step.lift.id;
    move(step.lift.id, step.lift.over);
  };

  return {
    lift,
    announcement,
    focus,
    // A click by keys has no pointer's count.
    endedDrag: ({ detail }) => detail > 0 && dragged.current,
    blur: () => {
      if (lift?.by === "keys") take({ to: "cancel", lift });
    },
    keyDown(event, { id, title, status }) {
      if (lift === undefined || lift.by === "pointer") {
        if (event.key !== " ") return;
        event.preventDefault();
        take({ to: "carry", lift: { id, title, from: status, over: status, by: "keys" } });
        return;
      }
      const step = stepLift(lift, event.key);
      if (step === undefined) return;
      if (event.key !== "Tab") event.preventDefault();
      take(step);
    },
    pointerDown(event, issue) {
      dragged.current = false;
      const touched = event.pointerType !== "mouse";
      // A finger on the card scrolls; it carries by the grip.
      if (touched && !(event.target instanceof Element && event.target.closest("[data-grip]"))) return;
      if (event.button !== 0) return;
      stop.current?.();
      stop.current = follow(event, issue, {
        carried: (next) => take({ to: "carry", lift: next }),
        ended: (last, dropped) => {
          dragged.current = true;
          take({ to: dropped ? "drop" : "cancel", lift: last });
        },
      });
    },
  };
}

/** Follows a pointer until it is released. The returned function stops at once and leaves the card where it is. */
function follow(
  event: PointerEvent<HTMLElement>,
  issue: Issue,
  listener: { readonly carried: (lift: Lift) => void; readonly ended: (lift: Lift, dropped: boolean) => void },
): () => void {
  const { currentTarget: card, pointerId, clientX, clientY } = event;
  const press: Press = { issue, card, pointer: pointerId, x: clientX, y: clientY, lift: undefined };
  const listening = new AbortController();
  const { signal } = listening;
  const end = (dropped: boolean): void => {
    listening.abort();
    release(press);
    if (press.lift !== undefined) listener.ended(press.lift, dropped);
  };
  const moved = (at: globalThis.PointerEvent): void => {
    if (at.pointerId !== press.pointer) return;
    const next = carriedTo(press, at);
    if (next === undefined || next.over === press.lift?.over) return;
    press.lift = next;
    listener.carried(next);
  };
  window.addEventListener("pointermove", moved, { signal });
  window.addEventListener("pointerup", (at) => at.pointerId === press.pointer && end(true), { signal });
  window.addEventListener("pointercancel", (at) => at.pointerId === press.pointer && end(false), { signal });
  window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
  return () => {
    listening.abort();
    release(press);
  };
}

/** Moves the card with the pointer and returns the column under it; undefined while it may still be a click. */
function carriedTo({ issue, card, x, y, lift }: Press, { clientX, clientY }: globalThis.PointerEvent) {
  const [byX, byY] = [clientX - x, clientY - y];
  if (lift === undefined && Math.hypot(byX, byY) < SLACK_PX) return undefined;
  window.getSelection()?.removeAllRanges();
  card.style.pointerEvents = "none";
  card.style.transform = `translate(${byX}px, ${byY}px)`;
  scrollAtEdge(card, clientX);
  const over = columnAt(clientX, clientY) ?? lift?.over ?? issue.status;
  return { id: issue.id, title: issue.title, from: issue.status, over, by: "pointer" } as const;
}

function columnAt(x: number, y: number): IssueStatus | undefined {
  const column = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-column]")?.dataset.column;
  return STATUSES.find(({ value }) => value === column)?.value;
}

function scrollAtEdge(card: HTMLElement, x: number): void {
  const board = card.closest<HTMLElement>("[data-board]");
  if (board === null) return;
  const { left, right } = board.getBoundingClientRect();
  if (x < left + EDGE_PX) board.scrollBy({ left: -12 });
  else if (x > right - EDGE_PX) board.scrollBy({ left: 12 });
}

function release({ card }: Press): void {
  card.style.pointerEvents = "";
  card.style.transform = "";
}
