import type { Clock } from "../clock/index.ts";
import { type WorkingAsk, type WorkingPart, workingLine } from "../working-state/index.ts";
import type { IssueBoard } from "./issue-board.ts";
import type { OpenIssue } from "./open-issue.ts";

/** Milliseconds a turn waits for the board. */
const WAIT_MS = 250;
/** Milliseconds that what was read counts for; changes here are seen at once, those of others on a shared server then. */
const FRESH_MS = 30_000;
/** Issues that are read, the most urgent of all. */
const READ = 200;
const TITLE_CHARS = 120;

export interface WorkingIssuesOptions {
  readonly board: Pick<IssueBoard, "openIssues">;
  /** Whether the store has been made: one that has not is not opened. */
  readonly exists: () => boolean;
  readonly clock: Pick<Clock, "now" | "setTimeout">;
  readonly log: { warn(message: string): void };
}

interface Known {
  readonly issues: readonly OpenIssue[];
  readonly count: number;
  readonly at: number;
}

/** The open issues as turns are shown them (G26), kept in memory until the board changes. */
export class WorkingIssues {
  readonly #options: WorkingIssuesOptions;
  #known: Known | undefined;
  #revision = 0;
  #isFailing = false;

  constructor(options: WorkingIssuesOptions) {
    this.#options = options;
  }

  noteChange(): void {
    this.#revision++;
    this.#known = undefined;
  }

  /** Of others' conversations, only issues of the operator's trust. Undefined: none is open, or they cannot be read. */
  of({ context }: WorkingAsk): WorkingPart | undefined | Promise<WorkingPart | undefined> {
    const { exists, clock } = this.#options;
    const known = this.#known;
    if (known !== undefined && clock.now() - known.at < FRESH_MS) return partOf(known, context);
    if (!exists()) return undefined;
    return this.#read().then((read) => read && partOf(read, context));
  }

  async #read(): Promise<Known | undefined> {
    const { clock, log } = this.#options;
    const late = Promise.withResolvers<undefined>();
    const timer = clock.setTimeout(() => late.resolve(undefined), WAIT_MS);
    try {
      return await Promise.race([this.#readBoard(), late.promise]);
    } catch (error) {
      if (!this.#isFailing) log.warn(`turns go on without the task board: ${String(error)}`);
      this.#isFailing = true;
      return undefined;
    } finally {
      timer.cancel();
    }
  }

  async #readBoard(): Promise<Known> {
    const revision = this.#revision;
    const { issues, count } = await this.#options.board.openIssues(READ);
    const known = { issues, count, at: this.#options.clock.now() };
    this.#isFailing = false;
    // What changed meanwhile may not be among what was read.
    if (revision === this.#revision) this.#known = known;
    return known;
  }
}

function partOf({ issues, count }: Known, context: string): WorkingPart | undefined {
  const isOwn = (issue: OpenIssue): boolean => issue.session === context || issue.runSession === context;
  const own = issues.filter(isOwn);
  const others = issues.filter((issue) => !isOwn(issue) && !issue.outside);
  const rows = [...own, ...others].map(({ id, title, status, priority, outside }) => ({
    text: `${id} [${status}, priority ${priority}] ${workingLine(title, TITLE_CHARS)}`,
    outside,
  }));
  return count === 0 ? undefined : { kind: "issues", rows, more: count - rows.length };
}
