/**
 * Coalesces streamed text into journal events (ruling A6): the first piece goes out at once, later ones after 50 ms or
 * 256 characters, one commit in flight at a time. Nobody following: text waits for the outcome's commit, which makes
 * intermediate commits unnecessary (hot-path.md gotcha 8).
 */
import type { Timer } from "../clock/index.ts";
import type { TaskEvent } from "../event/index.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";

const COALESCE_MS = 50;
const COALESCE_CHARS = 256;

/** Streamed text of one model call on its way to the journal. */
export class DeltaBuffer {
  readonly #state: TurnState;
  readonly #deps: TurnDeps;
  #text = "";
  #reasoning = "";
  #started = false;
  #inflight = false;
  #timer: Timer | undefined;
  #closed = false;

  constructor(state: TurnState, deps: TurnDeps) {
    this.#state = state;
    this.#deps = deps;
    state.record.audience = this;
  }

  /** Somebody follows now: what was held back goes out. */
  followed(): void {
    if (this.#text !== "") this.#flush();
  }

  /** Adds a piece of the answer's text. */
  text(piece: string): void {
    this.#text += piece;
    if (this.#state.record.followers === 0 || this.#inflight) return;
    if (!this.#started || this.#text.length >= COALESCE_CHARS) this.#flush();
    else this.#timer ??= this.#deps.clock.setTimeout(() => this.#flush(), COALESCE_MS);
  }

  /** Adds a piece of reasoning; it rides along with whatever is committed next. */
  reasoning(piece: string): void {
    this.#reasoning += piece;
  }

  /**
   * Ends the buffer and returns what was not journaled yet, for the outcome's commit. Text nobody has seen any part of
   * is left out: the outcome holds it whole.
   */
  close(): TaskEvent[] {
    this.#closed = true;
    this.#timer?.cancel();
    this.#state.record.audience = undefined;
    const wanted = this.#started || this.#state.record.followers > 0;
    const events = this.#take(wanted);
    this.#state.deltasShown ||= this.#started || events.some((event) => event.kind === "text.delta");
    return events;
  }

  #take(withText: boolean): TaskEvent[] {
    const events: TaskEvent[] = [];
    if (this.#reasoning !== "") events.push({ kind: "reasoning.delta", text: this.#reasoning });
    if (withText && this.#text !== "") events.push({ kind: "text.delta", text: this.#text });
    this.#reasoning = "";
    this.#text = "";
    return events;
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#closed || this.#inflight || this.#text === "") return;
    this.#started = true;
    this.#inflight = true;
    const events = this.#take(true);
    const settled = (): void => {
      this.#inflight = false;
      if (this.#closed || this.#text === "" || this.#state.record.followers === 0) return;
      if (this.#text.length >= COALESCE_CHARS) this.#flush();
      else this.#timer ??= this.#deps.clock.setTimeout(() => this.#flush(), COALESCE_MS);
    };
    // A delta that could not be stored is not lost: the outcome holds the whole text, and its own commit says why.
    this.#deps.journal.append(this.#state.record, { label: "turn.delta", events }).then(settled, settled);
  }
}
