import type { SlashCommand } from "../command/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { contextKey, type TaskService } from "../task/index.ts";
import { UnknownSessionError } from "./session-error.ts";
import type { SessionRecord, Sessions } from "./sessions.ts";

export interface SessionCommandParts {
  readonly service: TaskService;
  readonly sessions: Sessions;
}

/** Characters of a title. */
const MAX_TITLE = 200;
const NOT_YET = "This session has no turns yet: send a message first.";

/** Commands about the session they are sent in: `/status`, `/title`, `/stop`, `/compact`. */
export function sessionCommands(parts: SessionCommandParts): readonly SlashCommand[] {
  return [statusCommand(parts), titleCommand(parts), stopCommand(parts), compactCommand()];
}

/** Undefined: the session has no message yet. */
async function recordOf(sessions: Sessions, id: string): Promise<SessionRecord | undefined> {
  try {
    return await sessions.read(id);
  } catch (error) {
    if (error instanceof UnknownSessionError) return undefined;
    throw error;
  }
}

function statusCommand({ service, sessions }: SessionCommandParts): SlashCommand {
  return {
    name: "status",
    kind: "control",
    description: "Shows the state of the session",
    usage: "/status",
    async run({ context }) {
      const record = await recordOf(sessions, context);
      if (record === undefined) return { kind: "reply", text: NOT_YET };
      const { id, title, turns, active, state } = record;
      const unread = service.unreadCount({ class: OPERATOR_CLASS, context });
      const lines = [
        `Session: ${id}`,
        ...(title === "" ? [] : [`Title: ${title}`]),
        `Turns: ${turns}, the last one ${state}`,
        active ? "A turn runs or waits now." : "No turn runs now.",
        ...(unread === 0 ? [] : [`Messages to read: ${unread}`]),
      ];
      return { kind: "reply", text: lines.join("\n") };
    },
  };
}

function titleCommand({ sessions }: SessionCommandParts): SlashCommand {
  return {
    name: "title",
    kind: "control",
    description: "Sets or shows the session's title",
    usage: "/title [text]",
    async run({ args, context }) {
      const record = await recordOf(sessions, context);
      if (record === undefined) return { kind: "reply", text: NOT_YET };
      if (args === "") return { kind: "reply", text: `Title: ${record.title}` };
      if (args.length > MAX_TITLE) return { kind: "reply", text: `A title has at most ${MAX_TITLE} characters.` };
      const { title } = await sessions.rename(context, args.replaceAll(/\s+/g, " "));
      return { kind: "reply", text: `Title: ${title}` };
    },
  };
}

function stopCommand({ service }: SessionCommandParts): SlashCommand {
  return {
    name: "stop",
    kind: "control",
    description: "Cancels the turn that runs in the session",
    usage: "/stop",
    async run({ class: callerClass, context }) {
      const key = contextKey({ class: callerClass, context });
      const running = service.runner.runningIn(key);
      if (running === undefined) return { kind: "reply", text: "No turn runs now." };
      await service.cancel(running);
      return { kind: "reply", text: "The turn was canceled." };
    },
  };
}

function compactCommand(): SlashCommand {
  return {
    name: "compact",
    kind: "control",
    description: "Replaces the older part of the conversation by a summary",
    usage: "/compact",
    run: () => ({ kind: "turn", options: { purpose: "compact" } }),
  };
}
