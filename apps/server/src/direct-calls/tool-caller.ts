/** `POST /api/tools/{name}/call` over the engine's direct calls (M19). */
import {
  type AgentEngine,
  type Clock,
  DirectCallError,
  formatTraceparent,
  hitlPayload,
  isTerminalState,
  OPERATOR_CLASS,
  parseTraceparent,
  requestKey,
  type Sessions,
  type TaskHandle,
  type TaskView,
  UnknownSessionError,
} from "@agent-service/agent-core/host";
import { type AskedCall, a2aStateOf, Problem, type ToolsService } from "@agent-service/operator-api";

/** Milliseconds a request waits for the end of its call. */
const WAIT_MS = 30_000;

export interface CallToolParts {
  readonly calls: AgentEngine["directCalls"];
  readonly tasks: Pick<AgentEngine["service"], "byKey">;
  readonly sessions: Pick<Sessions, "read">;
  readonly clock: Clock;
}

/** Makes a call and waits for it. */
export function toolCaller({ calls, tasks, sessions, clock }: CallToolParts): ToolsService["call"] {
  async function needSession(session: string): Promise<void> {
    try {
      await sessions.read(session);
    } catch (error) {
      throw error instanceof UnknownSessionError ? new Problem(404, error.message, { cause: error }) : error;
    }
  }

  async function start({ tool, args, session, key: written, traceparent }: AskedCall): Promise<TaskHandle> {
    const asked = ["POST /api/tools/call", tool, args, session ?? null];
    const key = written === undefined ? undefined : requestKey(written, asked);
    const known = key && (await tasks.byKey(OPERATOR_CLASS, key));
    if (known !== undefined) return known;
    if (session !== undefined) await needSession(session);
    const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
    try {
      return await calls.start({
        tool,
        args,
        trace: parent && formatTraceparent(parent),
        ...(session !== undefined && { context: session }),
        ...(key !== undefined && { key }),
      });
    } catch (error) {
      throw error instanceof DirectCallError ? refusal(error) : error;
    }
  }

  return async (asked, signal) => {
    const task = await start(asked);
    await settledWithin(task, clock, signal);
    const { view } = task;
    const end = isTerminalState(view.state) ? await calls.endOf(task.id) : undefined;
    return {
      task_id: task.id,
      session_id: view.context,
      state: a2aStateOf(view.state),
      ...(end !== undefined && { outcome: end.outcome, result: end.text }),
      ...inputRequired(view),
    };
  };
}

function inputRequired({ state, prompts }: Readonly<TaskView>) {
  const [prompt] = state === "parked" ? prompts : [];
  if (prompt === undefined) return {};
  const { promptId, ...payload } = hitlPayload(prompt);
  return { input_required: { ...payload, prompt_id: promptId } as const };
}

function refusal(error: DirectCallError): Problem {
  if (error.code === "unknown_tool") return new Problem(404, error.message, { cause: error });
  const entries = error.places.map(({ path, message }) => ({
    loc: ["body", "args", ...path],
    msg: message,
    type: "arguments",
  }));
  return new Problem(422, entries, { cause: error });
}

/** Waits until the task is parked or ended, the time is up or the client has left. */
async function settledWithin(task: TaskHandle, clock: Clock, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  const timer = clock.setTimeout(stop, WAIT_MS);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await task.settled(waiting.signal);
  } catch (error) {
    if (!waiting.signal.aborted) throw error;
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", stop);
  }
}
