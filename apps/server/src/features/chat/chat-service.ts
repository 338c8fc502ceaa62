/** `POST /api/chat` over the tasks (document 2 "Chat and sessions"; rulings R1, O8, A9, A13, A15). */
import { createHash, randomInt } from "node:crypto";
import {
  type AnswerPart,
  formatTraceparent,
  hitlPayload,
  type InputMessage,
  isTerminalState,
  NO_USAGE,
  parseTraceparent,
  promptText,
  TaskError,
  type TaskHandle,
  type TaskService,
  type TaskUsage,
  type TaskView,
} from "@agent-service/agent-core/host";
import { a2aStateOf, type ChatMessage, type ChatService, Problem } from "@agent-service/operator-api";
import { acceptanceProblem, failureProblem } from "./chat-problem.ts";

/** What the chat is over. */
export interface ChatServiceParts {
  readonly tasks: TaskService;
  /** Whether a model value names anything; raises `ModelConfigError` when not. */
  readonly checkModel: (value: string) => void;
  readonly clock: { now(): number };
  readonly newErrorId: () => string;
  /** Called for every turn that failed or could not begin; the latter has no task. */
  readonly onFailed: (failure: { readonly task?: string; readonly errorId: string; readonly code: string }) => void;
}

/** A request under way. */
interface AcceptedChat {
  readonly task: TaskHandle;
  /** Tokens the task had used before this request. */
  readonly before: TaskUsage;
}

const CLASS = "operator";

/** Serves the chat. */
export function chatService(parts: ChatServiceParts): ChatService {
  const { tasks, checkModel, clock, newErrorId, onFailed } = parts;

  async function accept(asked: ChatMessage, session: string): Promise<AcceptedChat> {
    const input: InputMessage = {
      messageId: crypto.randomUUID(),
      parts: [{ kind: "text", text: asked.message }],
      ...(asked.incognito ? { metadata: { incognito: true } } : {}),
    };
    const key = asked.key === undefined ? {} : { key: { key: asked.key, digest: digestOf(asked) } };
    if (asked.resumes) return resume(asked, input, key);
    const { model } = asked;
    if (model !== undefined) checkModel(model);
    const parent = asked.traceparent && parseTraceparent(asked.traceparent);
    const task = await tasks.start({
      class: CLASS,
      context: session,
      origin: "chat",
      input,
      options: model === undefined ? {} : { model },
      trace: parent ? formatTraceparent(parent) : undefined,
      ...key,
    });
    return { task, before: NO_USAGE };
  }

  async function resume(
    asked: ChatMessage,
    input: InputMessage,
    key: Pick<Parameters<TaskService["answer"]>[1], "key">,
  ) {
    const known = key.key && (await tasks.byKey(CLASS, key.key));
    if (known !== undefined) return { task: known, before: NO_USAGE };
    const waiting = await tasks.parkedIn({ class: CLASS, context: asked.session });
    if (waiting === undefined) throw notWaiting(asked.session);
    const before = waiting.view.usage;
    try {
      const task = await tasks.answer(waiting.id, { class: CLASS, input, ...key });
      return { task, before: task.repeated ? NO_USAGE : before };
    } catch (error) {
      // Somebody else answered meanwhile.
      const gone = error instanceof TaskError && (error.code === "not_waiting" || error.code === "prompt_gone");
      throw gone ? notWaiting(asked.session) : error;
    }
  }

  return {
    commands: () =>
      tasks.commands.list().map(({ name, kind, description, usage }) => ({ name, kind, description, usage })),
    async send(asked, signal) {
      const session = asked.session === "" ? newSessionId(clock.now()) : asked.session;
      let chat: AcceptedChat;
      try {
        chat = await accept(asked, session);
      } catch (error) {
        const errorId = newErrorId();
        const problem = acceptanceProblem(error, { session, errorId });
        if (problem instanceof Problem && problem.status === 503) onFailed({ errorId, code: codeOf(error) });
        throw problem;
      }
      const view = await settled(chat.task, signal);
      if (view.state !== "failed" && view.state !== "canceled") return replyOf(view, chat.before);
      const names = { session: view.context, errorId: newErrorId() };
      if (view.state === "failed") onFailed({ task: view.id, errorId: names.errorId, code: view.failure?.code ?? "" });
      throw failureProblem(view, names);
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function notWaiting(session: string): Problem {
  const message = "Nothing waits for an answer in this session.";
  return new Problem(409, { code: "not_waiting", message, session_id: session });
}

/** A name no session has: the time, and 31 bits of chance. */
function newSessionId(now: number): string {
  const chance = randomInt(36 ** 6)
    .toString(36)
    .padStart(6, "0");
  return `api-${now}-${chance}`;
}

/** What makes a request the same (ruling A15). */
function digestOf({ message, session, model, incognito, resumes }: ChatMessage): string {
  const asked = JSON.stringify(["POST /api/chat", message, session, model ?? null, incognito, resumes]);
  return createHash("sha256").update(asked).digest("hex");
}

/** The picture once it is parked or over; one that was answered before this could look goes on. */
async function settled(task: TaskHandle, signal: AbortSignal): Promise<Readonly<TaskView>> {
  for (;;) {
    await task.settled(signal);
    const { view } = task;
    if (view.state === "parked" || isTerminalState(view.state)) return view;
  }
}

function answerText(parts: readonly AnswerPart[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.data))).join("\n");
}

function replyOf(view: Readonly<TaskView>, before: TaskUsage): Awaited<ReturnType<ChatService["send"]>> {
  const [prompt] = view.state === "parked" ? view.prompts : [];
  const asks = prompt && [view.rejection, promptText(prompt)].filter((line) => line !== undefined).join("\n");
  const response = asks ?? answerText(view.answer ?? []);
  const { input, output } = view.usage;
  const usage = { prompt_tokens: input - before.input, completion_tokens: output - before.output };
  return {
    response,
    messages: [
      {
        role: "assistant",
        content: response,
        usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
      },
    ],
    session_id: view.context,
    task_id: view.id,
    state: a2aStateOf(view.state),
    ...(prompt === undefined ? {} : { input_required: inputRequired(hitlPayload(prompt)) }),
  };
}

function inputRequired({ promptId, ...payload }: ReturnType<typeof hitlPayload>) {
  return { ...payload, prompt_id: promptId } as const;
}
