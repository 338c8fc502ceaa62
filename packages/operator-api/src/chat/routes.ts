import type { ReasoningEffort } from "@agent-service/agent-core/host";
import * as v from "valibot";
import { readKey } from "../idempotency/index.ts";
import { objectProblemSchema, Problem, textProblemSchema } from "../problem/index.ts";
import { type Decider, defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import { chatBodySchema, chatReplySchema, commandSchema, fileTextBodySchema, fileTextSchema } from "./schema.ts";

const tag = "Chat";
/** An object where a turn failed, a text where none began. */
const problem = v.union([textProblemSchema, objectProblemSchema]);
const failed = (description: string) => ({ description, schema: problem });

export const sendChat = defineRoute({
  name: "chat.send",
  method: "POST",
  path: "/api/chat",
  tag,
  decides: "it waives approvals or answers one",
  summary: "Sends a message to the agent and waits for its answer",
  description:
    "Turns of a session run one after another. A caller that disconnects stops nothing: the turn is in the session's list. A turn that fails is answered with an error whose `message` has the reason. For a stream, send the message by A2A (`message/stream`).",
  body: chatBodySchema,
  reply: json(chatReplySchema),
  idempotency: "own",
  failures: {
    400: failed("The message is blank, or the model is not known (`unknown_model`)."),
    404: failed("The turn that this Idempotency-Key stands for was deleted with its session (`not_found`)."),
    409: failed("The turn was canceled (`canceled`), or nothing waits for an answer in the session (`not_waiting`)."),
    429: failed("The model's provider limited the rate, or too much waits here already; see Retry-After."),
    500: failed("The turn failed."),
    502: failed("The model's provider failed, could not be reached or closed the stream."),
    503: failed("The turn's model cannot be asked right now, or the service takes nothing; see Retry-After."),
  },
  example: { body: { message: "What is on my list today?", session_id: "morning" } },
});

export const listCommands = defineRoute({
  name: "chat.commands",
  method: "GET",
  path: "/api/chat/commands",
  tag,
  summary: "The slash commands there are",
  description:
    "Sent as the start of a message, `/name`, on any surface with the operator's credential: run before any model call. A name with several meanings is listed once, with the one that applies.",
  reply: json(v.object({ commands: v.array(commandSchema) })),
});

export const readFileText = defineRoute({
  name: "chat.file-text",
  method: "POST",
  path: "/api/chat/file-text",
  tag,
  summary: "The text of a PDF, to go with a message",
  description:
    "Reads at most 500 pages, 256 KiB of text and 20 seconds. Nothing is kept: send the text along as a file of the type `text/plain`, which is what the model reads.",
  body: fileTextBodySchema,
  reply: json(fileTextSchema),
  mutates: false,
  failures: {
    400: {
      description:
        "It cannot be read: damaged, locked by a password, too slow or too large once unpacked (`unreadable`), pictures of text alone (`no_text`), or of a kind that is not read (`unsupported`).",
      schema: problem,
    },
    429: "Too many files wait to be read already.",
  },
  example: { body: { name: "report.pdf", media_type: "application/pdf", data: "JVBERi0xLjQK" } },
});

/** A message to the agent. */
export interface ChatMessage extends Decider {
  readonly message: string;
  /** Blank: a new session. */
  readonly session: string;
  /** Absent: the one that leads. */
  readonly model: string | undefined;
  /** Absent: as the settings have it. */
  readonly effort: ReasoningEffort | undefined;
  readonly incognito: boolean;
  readonly resumes: boolean;
  /** The turn waives the approvals that can be waived (F12). */
  readonly bypassApprovals: boolean;
  readonly key: string | undefined;
  readonly traceparent: string | undefined;
}

/** Implemented by the service. */
export interface ChatService {
  /** The current commands. */
  commands(): readonly Frozen<v.InferInput<typeof commandSchema>>[];
  /** The text of a file. @throws Problem when it cannot be read */
  fileText(
    file: v.InferOutput<typeof fileTextBodySchema>,
    signal: AbortSignal,
  ): Promise<Frozen<v.InferInput<typeof fileTextSchema>>>;
  /** Carries a turn out. @throws Problem when it cannot be begun or failed */
  send(message: ChatMessage, signal: AbortSignal): Promise<Frozen<v.InferInput<typeof chatReplySchema>>>;
}

export function chatRoutes(chat: ChatService): readonly ServedRoute[] {
  return [
    serve(sendChat, async ({ body, headers, signal, refuseDecision }) => {
      const { message, session_id: session, model, reasoning_effort, incognito, hitl_resume: resumes } = body;
      if (message.trim() === "") throw new Problem(400, "The message is blank.");
      const refused = body.bypass_approvals ? await refuseDecision() : undefined;
      if (refused !== undefined) throw new Problem(403, refused);
      const choice = { model: model?.trim() || undefined, effort: reasoning_effort ?? undefined };
      const asked = { message, session, ...choice, incognito, resumes, bypassApprovals: body.bypass_approvals };
      return chat.send(
        { ...asked, refuseDecision, key: readKey(headers), traceparent: headers.get("traceparent") ?? undefined },
        signal,
      );
    }),
    serve(readFileText, ({ body, signal }) => chat.fileText(body, signal)),
    serve(listCommands, () => ({ commands: chat.commands() })),
  ];
}
