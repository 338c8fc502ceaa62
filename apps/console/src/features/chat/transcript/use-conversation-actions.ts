import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { useCommands } from "../../../commands/index.ts";
import { useNotices } from "../../../notices/index.ts";
import type { WaitingPrompt } from "../../../prompts/index.ts";
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

/** Returns a function that answers a waiting question or form. A text that could not be sent goes to `restore`. */
export function useAnswer(
  restore: (message: UnsentMessage) => void,
): (prompt: WaitingPrompt, answer: unknown, text: string) => void {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  return useCallback(
    ({ id }, answer, text) => {
      operator
        .post("/api/approvals/{id}", {
          params: { id },
          body: { decision: "answer", answer },
          idempotencyKey: requestKey(),
        })
        .catch((error: unknown) => {
          notify({ text: notSent(error), tone: "bad" });
          restore({ text, files: [] });
        })
        .finally(() => void queries.invalidateQueries({ queryKey: ["approvals"] }));
    },
    [operator, queries, notify, restore],
  );
}

/**
 * Returns a function that cancels a turn, with a notice where that fails. What was added to the turn and not read by it is
 * withdrawn first and goes to `restore`: after a stop nothing may reach the agent that the person does not send again.
 */
export function useStop(session: string, restore: (message: UnsentMessage) => void): (taskId: string) => void {
  const { operator } = useApi();
  const { live } = useChat();
  const queries = useQueryClient();
  const notify = useNotices();
  return useCallback(
    (taskId) => {
      const withdrawUnread = async (): Promise<void> => {
        const texts = await withdrawAll(operator, session);
        if (texts.length > 0) restore({ text: texts.join("\n\n"), files: [] });
        await queries.invalidateQueries({ queryKey: ["steering", session] });
      };
      // What cannot be withdrawn keeps no turn running.
      const withdrawn = withdrawUnread().catch(() => {});
      withdrawn
        .then(() => live.cancel(taskId))
        .catch((error: unknown) => notify({ text: failureOf(error).message, tone: "bad" }));
    },
    [operator, live, queries, notify, session, restore],
  );
}

/** Withdraws the unread messages of a session; returns the texts of those that no model call will read. */
async function withdrawAll(
  operator: ReturnType<typeof useApi>["operator"],
  session: string,
): Promise<readonly string[]> {
  const { pending } = await operator.get("/api/chat/sessions/{id}/steer", { params: { id: session } });
  const withdrawn = await Promise.all(
    pending.map(async ({ id, text }) => {
      const params = { id: session, msg_id: id };
      const { removed } = await operator.delete("/api/chat/sessions/{id}/steer/{msg_id}", { params });
      return removed ? [text] : [];
    }),
  );
  return withdrawn.flat();
}

/**
 * Lets a person stop the turn that runs: by the palette's command, and by Escape where nothing that floats is open and
 * nothing else took the key. `stop` is undefined where nothing runs.
 */
export function useStopKeys(stop: (() => void) | undefined): void {
  useCommands(
    useMemo(() => {
      if (stop === undefined) return [];
      const command = { id: "chat-stop", label: "Stop the agent", keywords: "cancel abort", group: "Chat" };
      return [{ ...command, keys: "mod+.", run: stop }];
    }, [stop]),
  );
  useEffect(() => {
    if (stop === undefined) return;
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector(FLOATING) === null) stop();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [stop]);
}

const FLOATING = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/** Returns a function that stops the turn of a row; undefined where it has ended, or was not accepted yet. */
export function useStopOf(row: TurnRow | undefined, stop: (taskId: string) => void): (() => void) | undefined {
  const { live } = useChat();
  return useMemo(() => {
    if (row === undefined) return undefined;
    return () => {
      const taskId = row.stored?.task_id ?? (row.live === undefined ? undefined : live.get(row.live)?.taskId);
      if (taskId !== undefined) stop(taskId);
    };
  }, [row, stop, live]);
}
