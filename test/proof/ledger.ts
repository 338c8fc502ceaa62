/** Everything the service sent to the clients of a trial, to be compared with its stores. */
import type { Hook } from "./jobs.ts";
import type { Frame, WireTask } from "./wire.ts";

/** A stream as one client read it, resubscriptions being streams of their own. */
export interface StreamRecord {
  readonly taskId: string;
  readonly frames: readonly Frame[];
  /** The number it was to begin at. */
  readonly cursor?: number;
}

/** A reply to a prompt that the service confirmed. */
export interface AnswerRecord {
  readonly taskId: string;
  readonly promptId: string;
  /** Part of the reply; empty for decisions. */
  readonly marker: string;
}

/** A webhook whose registration was acknowledged. */
export interface HookRecord {
  readonly taskId: string;
  readonly hook: Hook;
}

/** Something put into the inbox or on the board that the service confirmed. */
export interface PutRecord {
  readonly token: string;
  readonly path: string;
  /** Of the item, a number, or of the issue, `task-<n>`. */
  readonly id: string;
}

/** What is known of a task. */
export interface KnownTask {
  readonly id: string;
  /** Token of its request; empty where a reply became a task. */
  readonly token: string;
  /** The Task as it was first shown in a terminal state. */
  ended: string | undefined;
  /** Whether a client asked for its end. */
  cancelAsked: boolean;
}

const TERMINAL = ["completed", "failed", "canceled"];

/** The clients' common memory. */
export class Ledger {
  readonly tasks = new Map<string, KnownTask>();
  readonly streams: StreamRecord[] = [];
  readonly answers: AnswerRecord[] = [];
  readonly hooks: HookRecord[] = [];
  readonly puts: PutRecord[] = [];
  /** Tokens of steering messages that were accepted, and of those that were withdrawn before they were read. */
  readonly steered = new Set<string>();
  readonly withdrawn = new Set<string>();
  /** Violations seen while the clients ran. */
  readonly violations: string[] = [];
  readonly #taskOfToken = new Map<string, string>();

  /** Records a violation. */
  blame(violation: string): void {
    this.violations.push(violation);
  }

  /** A request was acknowledged as this task. */
  acknowledge(token: string, taskId: string): KnownTask {
    const before = token === "" ? undefined : this.#taskOfToken.get(token);
    if (before !== undefined && before !== taskId) this.blame(`A15: request ${token} became ${before} and ${taskId}`);
    if (token !== "") this.#taskOfToken.set(token, taskId);
    let known = this.tasks.get(taskId);
    if (known === undefined) {
      known = { id: taskId, token, ended: undefined, cancelAsked: false };
      this.tasks.set(taskId, known);
    }
    return known;
  }

  /** A whole Task was shown. */
  shown(task: WireTask): void {
    const known = this.tasks.get(task.id);
    if (known === undefined) return;
    const json = JSON.stringify(task);
    if (known.ended === undefined) {
      if (isTerminal(task)) known.ended = json;
    } else if (known.ended !== json) {
      this.blame(`EN3: ended task ${task.id} (${known.token}) changed from ${known.ended} to ${json}`);
    }
  }
}

/** Whether nothing can happen to the task any more. */
export function isTerminal(task: WireTask): boolean {
  return TERMINAL.includes(task.status.state);
}

/** The prompt a parked task shows. */
export function promptOf(task: WireTask): { readonly promptId: string; readonly kind: string } | undefined {
  if (task.status.state !== "input-required") return undefined;
  for (const part of task.status.message?.parts ?? []) {
    if (part.kind === "data") return part.data as { promptId: string; kind: string };
  }
  return undefined;
}
