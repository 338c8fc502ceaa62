/** `POST /api/chat` over the tasks (B33; R1, O8, A9, A13, A15). */
import { randomInt } from "node:crypto";
import {
  type AnswerPart,
  formatTraceparent,
  hitlPayload,
  type InputMessage,
  isTerminalState,
  OPERATOR_CLASS,
  type OpenedTurn,
  openTurn,
  parseTraceparent,
  promptText,
  requestKey,
  TaskError,
  type TaskHandle,
  type TaskService,
  type TaskUsage,
  type TaskView,
} from "@agent-service/agent-core/host";
import { a2aStateOf, type ChatMessage, type ChatService, Problem } from "@agent-service/operator-api";
import { acceptanceProblem, failureProblem } from "./chat-problem.ts";

export interface ChatServiceParts {
  readonly tasks: TaskService;
  /** Checks a model value; raises `ModelConfigError` for an unknown one. */
  readonly checkModel: (value: string) => void;
  readonly clock: { now(): number };
  readonly newErrorId: () => string;
  readonly fileText: ChatService["fileText"];
  /** Called for every turn that failed or could not begin; the latter has no task. */
  readonly onFailed: (failure: { readonly task?: string; readonly errorId: string; readonly code: string }) => void;
}

export function chatService(parts: ChatServiceParts): ChatService {
  const { tasks, checkModel, clock, newErrorId, onFailed, fileText } = parts;

  async function accept(asked: ChatMessage, session: string): Promise<OpenedTurn> {
    const input: InputMessage = {
      messageId: crypto.randomUUID(),
      parts: [{ kind: "text", text: asked.message }],
      ...(asked.incognito ? { metadata: { incognito: true } } : {}),
    };
    const { model, effort, resumes } = asked;
    if (model !== undefined && !resumes) checkModel(model);
    const parent = asked.traceparent && parseTraceparent(asked.traceparent);
    try {
      return await openTurn(tasks, {
        class: OPERATOR_CLASS,
        context: session,
        origin: "chat",
        input,
        options: {
          ...(model !== undefined && { model }),
          ...(effort !== undefined && { sampling: { reasoningEffort: effort } }),
          ...(asked.bypassApprovals && { bypassApprovals: true }),
        },
        trace: parent ? formatTraceparent(parent) : undefined,
        answers: resumes ? { required: true } : undefined,
        refuseApproval: asked.refuseDecision,
        ...(asked.key === undefined ? {} : { key: requestKey(asked.key, whatIsAsked(asked)) }),
      });
    } catch (error) {
      throw error instanceof TaskError && error.code === "not_waiting" ? notWaiting(asked.session) : error;
    }
  }

  return {
    fileText,
    commands: () =>
      tasks.commands.list().map(({ name, kind, description, usage, arguments: named }) => ({
        ...{ name, kind, description, usage, ...(named !== undefined && { arguments: named }) },
      })),
    async send(asked, signal) {
      const session = asked.session === "" ? newSessionId(clock.now()) : asked.session;
      let chat: OpenedTurn;
      try {
        chat = await accept(asked, session);
      } catch (error) {
        const errorId = newErrorId();
        const problem = acceptanceProblem(error, { session, errorId });
        if (problem instanceof Problem && problem.status === 503) onFailed({ errorId, code: codeOf(error) });
        throw problem;
      }
      const view = await settled(chat.task, signal);
      if (view.state !== "failed" && view.state !== "canceled") return replyOf(view, chat.usedBefore);
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

/** A new session's name: the time and 31 random bits. */
function newSessionId(now: number): string {
  const chance = randomInt(36 ** 6)
    .toString(36)
    .padStart(6, "0");
  return `api-${now}-${chance}`;
}

/** The digest that makes two requests the same (A15). */
function whatIsAsked(asked: ChatMessage): readonly unknown[] {
  const { message, session, model, effort, incognito, resumes, bypassApprovals } = asked;
  const parts = ["POST /api/chat", message, session, model ?? null, incognito, resumes];
  return [...parts, ...(effort === undefined ? [] : [effort]), ...(bypassApprovals ? ["bypass_approvals"] : [])];
}

/** The view once it is parked or terminal; one that was answered meanwhile is awaited again. */
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
    ...(view.note === undefined ? {} : { note: view.note }),
  };
}

function inputRequired({ promptId, ...payload }: ReturnType<typeof hitlPayload>) {
  return { ...payload, prompt_id: promptId } as const;
}
