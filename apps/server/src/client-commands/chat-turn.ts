import { A2AError } from "@agent-service/a2a-protocol";
import type { AgentEvent, InputRequired, RemoteAgent } from "@agent-service/a2a-protocol/client";
import { answerPrompt, type Decision, type PromptPayload, type PromptRights } from "./answer-prompt.ts";
import type { CommandContext } from "./command.ts";
import { failureOf } from "./command-failure.ts";
import type { Keyboard } from "./command-io.ts";
import { type Approval, approvalText } from "./commands/approvals.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { clean } from "./terminal-text.ts";
import { createTurnWriter, type TurnWriter } from "./turn-writer.ts";
import { watchApprovals } from "./watch-approvals.ts";

export interface ChatMessage {
  readonly message: string;
  readonly session: string | undefined;
  readonly model: string | undefined;
  /** The turn waives the approvals that can be waived (F12). */
  readonly bypassApprovals: boolean;
}

export interface ChatOutcome {
  readonly session: string | undefined;
  readonly task: string | undefined;
  readonly exitCode: ExitCode;
}

interface Turn {
  readonly context: CommandContext;
  readonly agent: RemoteAgent;
  readonly keyboard: Keyboard | undefined;
  readonly writer: TurnWriter;
  /** Aborts when the person leaves, or the turn is over. */
  readonly signal: AbortSignal;
  session: string | undefined;
  task: string | undefined;
  /** The number of the last event shown. */
  seq: number | undefined;
  exitCode: ExitCode;
  /** The prompt of its own that was asked last. */
  asked: string | undefined;
  /** Runs questions to the person one after the other. */
  asking: Promise<unknown>;
}

/**
 * Sends a message and shows what happens until the turn ends or waits. With a keyboard the person answers questions and
 * approvals, those of subagents and background jobs of this session among them, and steers by typing. The first Ctrl-C
 * cancels the turn, the second leaves it.
 */
export async function chatTurn(
  context: CommandContext,
  { message, session, model, bypassApprovals }: ChatMessage,
  keyboard: Keyboard | undefined,
): Promise<ChatOutcome> {
  const agent = await context.agent();
  const over = new AbortController();
  const turn: Turn = {
    ...{ context, agent, keyboard, session, signal: over.signal },
    writer: createTurnWriter(context),
    task: undefined,
    seq: undefined,
    asked: undefined,
    exitCode: EXIT.ok,
    asking: Promise.resolve(),
  };
  const release = context.io.onInterrupt(interruptionOf(turn, over));
  keyboard?.listen((line) => void steer(turn, line));
  const watching = watchApprovals(context, {
    signal: over.signal,
    session: () => turn.session,
    concerns: (row) => concerns(turn, row),
    notify: (row) => void askElsewhere(turn, row),
  });
  // Awaited at the end; an earlier failure waits for that.
  watching.catch(() => undefined);
  try {
    await followTurn(
      turn,
      agent.stream(
        { parts: [{ text: message }], metadata: { surface: "cli" } },
        {
          signal: over.signal,
          ...(session !== undefined && { contextId: session }),
          metadata: { ...(model !== undefined && { model }), ...(bypassApprovals && { bypass_approvals: true }) },
        },
      ),
    );
    // The turn may be over before the person has answered a prompt of a job.
    await Promise.race([turn.asking, aborted(over.signal)]);
  } catch (error) {
    if (!over.signal.aborted) throw error;
    turn.exitCode = EXIT.interrupted;
  } finally {
    keyboard?.listen(undefined);
    release();
    over.abort();
    await watching;
  }
  await turn.writer.end();
  return { session: turn.session, task: turn.task, exitCode: turn.exitCode };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Returns the handler of Ctrl-C: the first one cancels the task, the second one leaves the turn. */
function interruptionOf(turn: Turn, over: AbortController): () => void {
  let canceling = false;
  return () => {
    if (canceling || turn.task === undefined) return over.abort();
    canceling = true;
    turn.writer.aside("Canceling the turn; Ctrl-C again leaves it.");
    turn.agent.cancel(turn.task).catch(() => over.abort());
  };
}

async function followTurn(turn: Turn, first: AsyncGenerator<AgentEvent, void>): Promise<void> {
  let source: AsyncGenerator<AgentEvent, void> | undefined = first;
  while (source !== undefined) {
    let elsewhere = false;
    for await (const event of source) {
      turn.seq = event.seq ?? turn.seq;
      if (event.kind === "task") {
        turn.task = event.task.id;
        turn.session = event.task.contextId ?? turn.session;
      }
      turn.writer.event(event);
      if (event.kind === "status") turn.exitCode = exitCodeOf(event.state);
      if (event.kind === "input-required") elsewhere = await answerHere(turn, event);
    }
    // Answered elsewhere through the approvals inbox: the task continues, and its stream has to be joined again.
    source =
      elsewhere && turn.task !== undefined
        ? turn.agent.resubscribe(turn.task, {
            signal: turn.signal,
            ...(turn.seq !== undefined && { after: turn.seq }),
          })
        : undefined;
  }
}

function exitCodeOf(state: string): ExitCode {
  if (state === "TASK_STATE_COMPLETED") return EXIT.ok;
  if (state === "TASK_STATE_INPUT_REQUIRED" || state === "TASK_STATE_AUTH_REQUIRED") return EXIT.waiting;
  return state === "TASK_STATE_WORKING" || state === "TASK_STATE_SUBMITTED" ? EXIT.ok : EXIT.failed;
}

/** Has the person answer the turn's own question. True: it was answered outside the stream. */
async function answerHere(turn: Turn, event: InputRequired): Promise<boolean> {
  turn.exitCode = EXIT.waiting;
  const { context, keyboard } = turn;
  if (keyboard === undefined) {
    turn.writer.aside(waitingText(event));
    return false;
  }
  const payload = (event.prompt ?? { kind: "question", question: event.question }) as unknown as PromptPayload;
  const rights =
    event.promptId === undefined ? { mayEdit: false, mayRemember: false } : await rightsOf(turn, event.promptId);
  // A form that is asked again has the reason.
  turn.writer.aside(
    event.promptId === turn.asked && payload.kind === "form" ? (clean(event.question).split("\n", 1)[0] ?? "") : "",
  );
  turn.asked = event.promptId;
  const decision = await inTurn(turn, () => answerPrompt(payload, rights, keyboard, context));
  if (decision === undefined) return false;
  const isDeclinedForm = payload.kind === "form" && decision.decision === "decline";
  const needsInbox = isDeclinedForm || decision.args !== undefined || decision.remember === true;
  if (event.promptId !== undefined && needsInbox) {
    await decide(turn, event.promptId, decision);
    return true;
  }
  try {
    await event.answer(replyOf(decision));
    return false;
  } catch (error) {
    // Answered elsewhere first (-32002): the task continues with that answer.
    if (!(error instanceof A2AError) || error.code !== -32002) throw error;
    turn.writer.aside("Answered elsewhere.");
    return true;
  }
}

function replyOf({ decision, answer }: Decision): string | object {
  if (decision !== "answer") return decision;
  return typeof answer === "object" && answer !== null ? answer : String(answer);
}

function waitingText({ question, promptId }: InputRequired): string {
  const how = promptId === undefined ? "" : `\nAnswer it with agent-service approvals (${promptId}).`;
  return `The turn waits for a person: ${clean(question)}${how}`;
}

async function rightsOf({ context: { api }, task }: Turn, id: string): Promise<PromptRights> {
  const { approvals } = await api.get("/api/approvals", { query: { task_id: task, limit: 200 } });
  const row = approvals.find((one) => one.id === id);
  return { mayEdit: row?.may_edit === true, mayRemember: row?.may_remember === true };
}

/** Prompts of subagents and background jobs of this conversation; the turn's own arrive in its stream. */
function concerns({ session, task }: Turn, row: Approval): boolean {
  return row.task_id !== task && row.parents.some((parent) => parent.session_id === session);
}

/** Asks the person for the answer to another task's prompt. */
async function askElsewhere(turn: Turn, row: Approval): Promise<void> {
  const { context, keyboard, writer } = turn;
  if (context.json) return context.writeJson({ kind: "approval", approval: row });
  writer.aside(context.paint("yellow", `Task ${row.task_id} (${row.origin}) of this conversation waits for a person:`));
  if (keyboard === undefined) {
    writer.aside(approvalText(row, context.paint));
    return;
  }
  const rights = { mayEdit: row.may_edit, mayRemember: row.may_remember };
  try {
    await inTurn(turn, async () => {
      const decision = await answerPrompt(row.payload, rights, keyboard, context);
      if (decision !== undefined) await decide(turn, row.id, decision);
    });
  } catch (error) {
    asideFailure(turn, error);
  }
}

async function decide({ context: { api } }: Turn, id: string, decision: Decision): Promise<void> {
  await api.post("/api/approvals/{id}", { params: { id }, body: decision });
}

async function steer(turn: Turn, line: string): Promise<void> {
  const text = line.trim();
  if (text === "" || turn.session === undefined) return;
  try {
    await turn.context.api.post("/api/chat/sessions/{id}/steer", { params: { id: turn.session }, body: { text } });
    turn.writer.aside(turn.context.paint("cyan", "(the next model call reads it)"));
  } catch (error) {
    asideFailure(turn, error);
  }
}

/** Shows the person a failure outside the turn, an unexpected one too, which would be lost otherwise. */
function asideFailure(turn: Turn, error: unknown): void {
  turn.writer.aside(clean(failureOf(error, turn.context.service.url)?.message ?? String(error)));
}

/** Queues a question after the current one. */
function inTurn<T>(turn: Turn, ask: () => Promise<T>): Promise<T> {
  const asked = turn.asking.then(ask);
  turn.asking = asked.catch(() => undefined);
  return asked;
}
