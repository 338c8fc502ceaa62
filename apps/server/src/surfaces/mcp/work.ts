/** Tasks that calls of MCP clients start: messages to the agent, and direct calls of its tools (M17, M19). */
import {
  type AgentEngine,
  DirectCallError,
  formatTraceparent,
  OPERATOR_CLASS,
  openTurn,
  parseTraceparent,
  requestKey,
  type TaskHandle,
  type TaskView,
  unstorablePath,
} from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as v from "valibot";
import { errorResult, textResult } from "./tool-result.ts";

/** `ask`: a turn of the agent. `call`: one call of a tool, without a model. */
export type WorkKind = "ask" | "call";

/** A task, with what says how it is waited for later. */
export interface Work {
  readonly kind: WorkKind;
  readonly task: TaskHandle;
  /** For whoever reads that it goes on. */
  readonly later: string;
}

/** Whether a call is a task. Results have whatever members a tool gives them. */
export function isWork(made: CallToolResult | Work): made is Work {
  return "later" in made && "kind" in made && "task" in made;
}

const storable = v.check(
  (text: string) => unstorablePath(text) === undefined,
  "expected text without NUL characters and halves of surrogate pairs",
);
const text = (most: number) => v.pipe(v.string(), v.nonEmpty("expected a text"), v.maxLength(most), storable);

/** The arguments of `ask_agent`. */
export const askSchema = v.strictObject({
  message: v.pipe(v.string(), v.regex(/\S/, "expected a text that is not blank"), v.maxLength(1_000_000), storable),
  session_id: v.optional(text(512)),
  idempotency_key: v.optional(text(255)),
});

type Engine = Pick<AgentEngine, "service" | "directCalls">;

/** Sends a message to the agent: once per key. It is never a slash command. @throws Problem, TaskError, DatabaseError */
export async function askAgent({ service }: Engine, args: unknown, traceparent: string | undefined): Promise<Work> {
  const { message, session_id: context, idempotency_key = crypto.randomUUID() } = read(askSchema, args);
  const { task } = await openTurn(service, {
    class: OPERATOR_CLASS,
    origin: "operator",
    input: { messageId: crypto.randomUUID(), parts: [{ kind: "text", text: message }] },
    trace: traceOf(traceparent),
    key: requestKey(idempotency_key, ["mcp ask_agent", message, context ?? null]),
    ...(context !== undefined && { context }),
  });
  const later = `Call ask_agent again with the same arguments and idempotency_key ${JSON.stringify(idempotency_key)} to wait for its answer: nothing is done twice.`;
  return { kind: "ask", task, later };
}

/** Calls a tool of the agent. @throws Problem, TaskError, DatabaseError */
export async function callAgentTool(
  { directCalls }: Engine,
  tool: string,
  { args, traceparent }: { readonly args: unknown; readonly traceparent: string | undefined },
): Promise<Work> {
  try {
    const task = await directCalls.start({ tool, args, trace: traceOf(traceparent) });
    const later = `Do not call it again, that would be another call: a2a_tasks.journal with id ${JSON.stringify(task.id)} has its result.`;
    return { kind: "call", task, later };
  } catch (error) {
    if (!(error instanceof DirectCallError)) throw error;
    const places = error.places.map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
    throw new Problem(422, [error.message, ...places].join("\n"), { cause: error });
  }
}

/** How a task that ended reads. @throws DatabaseError */
export async function resultOfWork(
  { directCalls }: Engine,
  kind: WorkKind,
  view: Readonly<TaskView>,
): Promise<CallToolResult> {
  const names = `session_id: ${view.context}\ntask_id: ${view.id}`;
  if (kind === "call") {
    const end = await directCalls.endOf(view.id);
    if (end === undefined) return errorResult(`The call was not made.\n${names}`);
    return end.outcome === "ok" ? textResult(end.text) : errorResult(end.text);
  }
  if (view.state === "canceled") return errorResult(`The turn was canceled.\n${names}`);
  if (view.state === "failed") {
    const { code = "internal", message = "" } = view.failure ?? {};
    return errorResult(
      `${code === "internal" ? "The service failed on this turn; its log has the cause." : message}\n${names}`,
    );
  }
  const answer = (view.answer ?? []).map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.data)));
  return textResult(answer.join("\n"), names);
}

/** What is read while a task works on, or waits for a person. */
export function pendingResult({ task: { view }, later }: Work): CallToolResult {
  return textResult(`${pendingText(view)} ${later}\nsession_id: ${view.context}\ntask_id: ${view.id}`);
}

/** What a task that has not ended waits for. */
export function pendingText({ state, prompts }: Readonly<TaskView>): string {
  const [prompt] = state === "parked" ? prompts : [];
  if (prompt === undefined) return "It is still being worked on.";
  const { payload, promptId } = prompt;
  const asked = payload.kind === "question" ? payload.question : payload.title;
  const what = payload.kind === "approval" ? "an approval" : "an answer";
  return `It waits for ${what} of a person: ${asked}\napproval_id: ${promptId}\nThe person decides in the console under Approvals, or with: agent-service approvals.`;
}

function traceOf(traceparent: string | undefined): string | undefined {
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  return parent && formatTraceparent(parent);
}

function read<TSchema extends v.GenericSchema>(schema: TSchema, args: unknown): v.InferOutput<TSchema> {
  const result = v.safeParse(schema, args);
  if (result.success) return result.output;
  const lines = result.issues.map((issue) => `${v.getDotPath(issue) ?? "arguments"}: ${issue.message}`);
  throw new Problem(422, lines.join("\n"));
}
