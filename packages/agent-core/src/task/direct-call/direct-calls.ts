/** Calls of tools that the operator makes without a model (M19). Each is a task: approved, journaled and restarted as any. */
import type { Database } from "../../database/index.ts";
import { CodedError } from "../../error/index.ts";
import type { CallOutcome } from "../../event/index.ts";
import type { Journal } from "../../journal/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import { type ArgumentPlace, parseArguments, type Toolbox } from "../../tool/index.ts";
import type { RequestKey } from "../request-key.ts";
import type { TaskHandle } from "../task-handle.ts";
import type { TaskService } from "../task-service.ts";

/** Characters of the arguments that are shown in the task's message; the call has them whole. */
const SHOWN_CHARS = 2_000;
/** Bytes of a result. */
const RESULT_BYTES = 16 * 1024 * 1024;

/** A call that the operator asks for. */
export interface DirectCall {
  readonly tool: string;
  /** A JSON object. */
  readonly args: unknown;
  /** The conversation it belongs to; absent: one of its own, which no list shows. */
  readonly context?: string;
  readonly key?: RequestKey;
  /** A valid `traceparent` of whoever asks. */
  readonly trace?: string | undefined;
}

/** How a call ended. */
export interface DirectCallEnd {
  readonly outcome: CallOutcome;
  /** What a model would read. */
  readonly text: string;
}

/** `unknown_tool`: there is none of that name now. `bad_arguments`: see `places`. */
export class DirectCallError extends CodedError<"unknown_tool" | "bad_arguments"> {
  override readonly name = "DirectCallError";
  readonly places: readonly ArgumentPlace[];

  constructor(code: DirectCallError["code"], message: string, places: readonly ArgumentPlace[] = []) {
    super(code, message);
    this.places = places;
  }
}

export interface DirectCallParts {
  readonly service: Pick<TaskService, "start">;
  readonly toolbox: Toolbox;
  readonly db: Database;
  readonly journal: Journal;
}

/** Makes calls for the operator. */
export class DirectCalls {
  readonly #parts: DirectCallParts;

  constructor(parts: DirectCallParts) {
    this.#parts = parts;
  }

  /**
   * Starts the task of a call. Durable when it resolves.
   * @throws DirectCallError
   * @throws TaskError as `TaskService.start`
   */
  start({ tool: name, args, context, key, trace }: DirectCall): Promise<TaskHandle> {
    const tool = this.#parts.toolbox.for({ subagent: false, peer: false }).get(name);
    if (tool === undefined) throw new DirectCallError("unknown_tool", "There is no tool of this name now.");
    const parsed = parseArguments(tool, JSON.stringify(args) ?? "null");
    if (!parsed.ok) throw new DirectCallError("bad_arguments", parsed.message, parsed.places);
    const { canonical } = parsed;
    const shown = canonical.length <= SHOWN_CHARS ? canonical : `${canonical.slice(0, SHOWN_CHARS)}…`;
    return this.#parts.service.start({
      class: OPERATOR_CLASS,
      origin: "operator",
      input: { messageId: crypto.randomUUID(), parts: [{ kind: "text", text: `Call ${name} with ${shown}` }] },
      options: { purpose: "call", call: { name, args: canonical } },
      trace,
      ...(context !== undefined && { context }),
      ...(key !== undefined && { key }),
    });
  }

  /** How the call of a task ended; undefined: it has not. @throws DatabaseError */
  async endOf(task: string): Promise<DirectCallEnd | undefined> {
    const { db, journal } = this.#parts;
    const [row] = await db.read(journal.statements.selectCallsOfTask.bind({ task, limit: 1, bytes: RESULT_BYTES }));
    if (typeof row?.[1] !== "string") return undefined;
    return { outcome: row[1] as CallOutcome, text: String(row[2] ?? "") };
  }
}
