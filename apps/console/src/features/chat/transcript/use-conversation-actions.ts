import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../../api/index.ts";
import { useCommands } from "../../../commands/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { failureOf } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import type { TurnRow } from "./shown-turns.ts";

/** Returns a function that steers the running turn. A text that could not be sent goes to `restore`. */
export function useSteer(session: string, restore: (message: UnsentMessage) => void): (text: string) => void {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  return useCallback(
    (text) => {
      operator
        .post("/api/chat/sessions/{id}/steer", { params: { id: session }, body: { text, id: crypto.randomUUID() } })
        .catch((error: unknown) => {
          notify({ text: notSent(error), tone: "bad" });
          restore({ text, files: [] });
        })
        .finally(() => void queries.invalidateQueries({ queryKey: ["steering", session] }));
    },
    [operator, queries, session, notify, restore],
  );
}

function notSent(error: unknown): string {
  const { message } = failureOf(error);
  return `Not sent: ${message}${/[.!?]$/.test(message) ? "" : "."} Your text is kept.`;
}

/** Returns a function that cancels a turn, with a notice where that fails. */
export function useStop(): (taskId: string) => void {
  const { live } = useChat();
  const notify = useNotices();
  return useCallback(
    (taskId) => {
      live.cancel(taskId).catch((error: unknown) => notify({ text: failureOf(error).message, tone: "bad" }));
    },
    [live, notify],
  );
}

/** Adds the palette's command to stop the running turn; `row` is undefined where none runs. */
export function useStopCommand(row: TurnRow | undefined, stop: (taskId: string) => void): void {
  const { live } = useChat();
  useCommands(
    useMemo(() => {
      if (row === undefined) return [];
      const run = (): void => {
        const taskId = row.stored?.task_id ?? (row.live === undefined ? undefined : live.get(row.live)?.taskId);
        if (taskId !== undefined) stop(taskId);
      };
      return [
        { id: "chat-stop", label: "Stop the agent", keywords: "cancel abort", keys: "mod+.", group: "Chat", run },
      ];
    }, [row, stop, live]),
  );
}
