/** A request becomes a turn, or the answer to the question its session waits with (R1, V1, A9, A13, A15, A16). */
import { type OpenedTurn, type OpenTurn, openTurn, type TaskService } from "@agent-service/agent-core/host";
import type { ChatRequest } from "./chat-request.ts";
import { acceptanceError } from "./failure-error.ts";

/** The caller, and the model where it is not the agent's own. */
export interface ChatCaller {
  readonly class: string;
  readonly model?: string;
  /** Its trace context: a valid `traceparent`. */
  readonly trace?: string | undefined;
  /** As of a reply to a prompt. */
  readonly refuseApproval: OpenTurn["refuseApproval"];
}

const ORIGIN = "v1";

/** Accepts a request. @throws ApiError when it cannot be accepted; then nothing was accepted */
export async function acceptChat(
  tasks: TaskService,
  { session, conversation, answer, key }: ChatRequest,
  { class: callerClass, model, trace, refuseApproval }: ChatCaller,
): Promise<OpenedTurn> {
  const { instructions, history, input } = conversation;
  try {
    return await openTurn(tasks, {
      class: callerClass,
      origin: ORIGIN,
      trace,
      refuseApproval,
      ...(session === undefined ? { history } : { context: session }),
      input: { messageId: crypto.randomUUID(), parts: input },
      options: {
        ...answer,
        ...(model === undefined ? {} : { model }),
        ...(instructions === undefined ? {} : { instructions }),
      },
      answers: { required: false, origin: ORIGIN },
      ...(key === undefined ? {} : { key }),
    });
  } catch (error) {
    throw acceptanceError(error);
  }
}
