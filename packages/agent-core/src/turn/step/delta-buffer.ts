/**
 * Coalesces streamed text into journal events (A6): the first piece goes out at once, later ones after 50 ms or
 * 256 characters, one commit in flight at a time. Without followers text waits for the outcome's commit, which makes
 * intermediate commits unnecessary. Reasoning is written the same way where a follower wants it
 * (A14), else with the next commit.
 */
import type { Timer } from "../../clock/index.ts";
import type { TaskEvent } from "../../event/index.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";

type StreamingTurn = Pick<TurnState, "record" | "step">;
type Deps = Pick<TurnDeps, "clock" | "journal">;

const COALESCE_MS = 50;
const COALESCE_CHARS = 256;
/** Longest text of one event: what a reader that has stopped may hold beside its cursor. */
const MAX_DELTA_CHARS = 8 * 1024;

/** Streamed text of one model call on its way to the journal. */
export class DeltaBuffer {
  readonly #state: StreamingTurn;
  readonly #deps: Deps;
  #text = "";
  #reasoning = "";
  /** Some of the text, of the reasoning, was committed on its own. */
  #started = false;
  #reasoned = false;
  /** The next piece of text is the first of the answer that is journaled. */
  #begins: boolean;
  #inflight = false;
  #timer: Timer | undefined;
  #closed = false;

  constructor(state: StreamingTurn, deps: Deps) {
    this.#state = state;
    this.#deps = deps;
    this.#begins = !state.step.deltasShown;
    state.record.deltaBuffer = this;
  }

  /** Called when the first follower arrives: publishes what was held back. */
  followed(): void {
    this.#flush();
  }

  text(piece: string): void {
    this.#text += piece;
    this.#offer(!this.#started);
  }

  reasoning(piece: string): void {
    this.#reasoning += piece;
    if (this.#state.record.reasoningFollowers > 0) this.#offer(!this.#reasoned);
  }

  /**
   * Ends the buffer and returns what was not journaled yet, for the outcome's commit. Text of which no part was shown is
   * left out: the outcome holds it whole.
   */
  close(): TaskEvent[] {
    this.#closed = true;
    this.#timer?.cancel();
    this.#state.record.deltaBuffer = undefined;
    const wanted = this.#started || this.#state.record.followers > 0;
    const events = this.#take(wanted);
    this.#state.step.deltasShown ||= this.#started || events.some((event) => event.kind === "text.delta");
    return events;
  }

  #take(withText: boolean): TaskEvent[] {
    const events: TaskEvent[] = slices(this.#reasoning).map((text) => ({ kind: "reasoning.delta", text }));
    if (withText) {
      for (const text of slices(this.#text)) {
        events.push({ kind: "text.delta", text, ...(this.#begins && { begins: true }) });
        this.#begins = false;
      }
    }
    this.#reasoning = "";
    this.#text = "";
    return events;
  }

  /** Characters that followers wait for. */
  #wanted(): number {
    const { followers, reasoningFollowers } = this.#state.record;
    return (followers > 0 ? this.#text.length : 0) + (reasoningFollowers > 0 ? this.#reasoning.length : 0);
  }

  /** Publishes what is wanted, now or after `COALESCE_MS`. */
  #offer(isFirst: boolean): void {
    if (this.#closed || this.#inflight) return;
    const wanted = this.#wanted();
    if (wanted === 0) return;
    if (isFirst || wanted >= COALESCE_CHARS) this.#flush();
    else this.#timer ??= this.#deps.clock.setTimeout(() => this.#flush(), COALESCE_MS);
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#closed || this.#inflight || this.#wanted() === 0) return;
    this.#started ||= this.#text !== "";
    this.#reasoned ||= this.#reasoning !== "";
    this.#inflight = true;
    const events = this.#take(true);
    const settled = (): void => {
      this.#inflight = false;
      this.#offer(false);
    };
    // A delta that could not be stored is not lost: the outcome holds the whole text, and its own commit fails with the reason.
    this.#deps.journal.append(this.#state.record, { label: "turn.delta", events }).then(settled, settled);
  }
}

/** A text in pieces that no reader has to hold for long; none for "". */
function slices(text: string): string[] {
  if (text.length <= MAX_DELTA_CHARS) return text === "" ? [] : [text];
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const last = text.charCodeAt(start + MAX_DELTA_CHARS - 1);
    // A surrogate pair stays together.
    const end = start + MAX_DELTA_CHARS - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}
