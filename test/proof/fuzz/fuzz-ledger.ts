/** What a run learned: figures, acknowledged tasks, violations. */
import { mkdirSync, writeFileSync } from "node:fs";
import { bytesOf, type FuzzRequest, reproduction } from "./fuzz-request.ts";
import type { InstanceName } from "./grammar.ts";
import type { Verdict } from "./judge.ts";
import { type SeenTask, TERMINAL } from "./shapes.ts";

/** The position of a request in a run. */
export interface Position {
  readonly case: number;
  readonly step: number;
}

/** A task that the service showed to a caller. */
export interface KnownTask {
  readonly instance: InstanceName;
  /** The terminal state it was first shown in. */
  ended: string | undefined;
}

/** Longest list of violations that is kept in full. */
const MOST_VIOLATIONS = 50;

/** A run's memory. */
export class FuzzLedger {
  readonly violations: string[] = [];
  readonly tasks = new Map<string, KnownTask>();
  readonly outcomes = new Map<string, number>();
  readonly labels = new Map<string, number>();
  readonly statuses = new Map<string, number>();
  requests = 0;
  /** Violations, reported or not. */
  blames = 0;
  readonly #folder: string;

  /** `folder`: where the bytes of requests that went wrong are kept. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  blame(position: Position | undefined, text: string): void {
    this.blames++;
    const where = position === undefined ? "" : `case ${position.case} step ${position.step}: `;
    if (this.violations.length < MOST_VIOLATIONS) this.violations.push(`${where}${text}`);
  }

  /** Notes an answer. */
  answered(position: Position, instance: InstanceName, port: number, request: FuzzRequest, verdict: Verdict): void {
    this.requests++;
    count(this.labels, labelOf(request));
    count(this.statuses, String(verdict.status));
    count(this.outcomes, verdict.outcome);
    // A stream that is left before its end shows the task as of its cursor.
    const isPast = request.operation === "subscribe" && request.leaveAfter !== undefined;
    if (verdict.task !== undefined && !isPast) this.#shown(position, instance, verdict.task);
    const { shownTask } = verdict;
    if (shownTask !== undefined && !this.tasks.has(shownTask))
      this.tasks.set(shownTask, { instance, ended: undefined });
    if (verdict.problems.length === 0) return;
    const file = this.#keep(position, request);
    const how = reproduction(request, port, file);
    this.blame(position, `${request.label} at the ${instance} instance: ${verdict.problems.join("; ")}\n      ${how}`);
  }

  #shown(position: Position, instance: InstanceName, task: SeenTask): void {
    const known = this.tasks.get(task.id) ?? { instance, ended: undefined };
    this.tasks.set(task.id, known);
    if (known.ended === undefined) {
      if (TERMINAL.includes(task.state)) known.ended = task.state;
    } else if (known.ended !== task.state) {
      this.blame(position, `EN3: task ${task.id} was ${known.ended} and is shown as ${task.state}`);
    }
  }

  #keep({ case: index, step }: Position, request: FuzzRequest): string {
    const file = `${this.#folder}/case-${index}-${step}.http`;
    if (this.violations.length >= MOST_VIOLATIONS) return file;
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(file, request.raw === undefined ? bytesOf(request) : Buffer.concat([...request.raw.pieces]));
    return file;
  }
}

/** Adds one under a name. */
function count(sums: Map<string, number>, name: string): void {
  sums.set(name, (sums.get(name) ?? 0) + 1);
}

/** A label without what is drawn. */
function labelOf({ label }: FuzzRequest): string {
  return label.split(", ")[0] as string;
}
