import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../api/index.ts";
import { useCommands } from "../../commands/index.ts";
import { useNotices } from "../../notices/index.ts";
import { failureOf } from "../../ui/index.ts";
import { useChat } from "./chat-context.tsx";
import type { TurnRow } from "./shown-turns.ts";
import type { TakenBack } from "./use-draft.ts";

/** Says something to the turn at work; what cannot be said goes back to where it was written. */
export function useSteer(session: string, takeBack: (message: TakenBack) => void): (text: string) => void {
  const { operator } = useApi();
  const queries = useQueryClient();
  const tell = useNotices();
  return useCallback(
    (text) => {
      operator
        .post("/api/chat/sessions/{id}/steer", { params: { id: session }, body: { text, id: crypto.randomUUID() } })
        .catch((error: unknown) => {
          tell({ text: `This was not said: ${failureOf(error).message}`, tone: "bad" });
          takeBack({ text, files: [] });
        })
        .finally(() => void queries.invalidateQueries({ queryKey: ["steering", session] }));
    },
    [operator, queries, session, tell, takeBack],
  );
}

/** Cancels a turn; says so where that fails. */
export function useStop(): (taskId: string) => void {
  const { live } = useChat();
  const tell = useNotices();
  return useCallback(
    (taskId) => {
      live.cancel(taskId).catch((error: unknown) => tell({ text: failureOf(error).message, tone: "bad" }));
    },
    [live, tell],
  );
}

/** Stops what is at work from the palette. `row`: the turn at work; undefined: there is none. */
export function useStopCommand(row: TurnRow | undefined, stop: (taskId: string) => void): void {
  const { live } = useChat();
  useCommands(
    useMemo(() => {
      if (row === undefined) return [];
      const run = (): void => {
        const taskId = row.stored?.task_id ?? (row.live === undefined ? undefined : live.get(row.live)?.taskId);
        if (taskId !== undefined) stop(taskId);
      };
      return [{ id: "chat-stop", label: "Stop the agent", words: "cancel abort", keys: "mod+.", group: "Chat", run }];
    }, [row, stop, live]),
  );
}
