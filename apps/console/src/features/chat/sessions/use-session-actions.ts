import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { failureOf } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import { NO_DRAFT } from "../composer/drafts.ts";
import { exportSession } from "./export-session.ts";
import { keptWords } from "./forgotten-words.ts";
import { removalKey } from "./removal.ts";
import { useTabs } from "./use-tabs.ts";

/** What is done to a conversation as a whole, or to the `version` of it that is shown; failures are shown as notices. */
export function useSessionActions(session: string, title: string, version: string = session) {
  const { operator } = useApi();
  const notify = useNotices();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const params = { id: session };
  const onError = (error: Error): void => {
    notify({ text: failureOf(error).message, tone: "bad" });
  };
  const edit = useMutation({
    mutationFn: (body: { title?: string | null; pinned?: boolean }) =>
      operator.patch("/api/chat/sessions/{id}", { params, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["sessions"] }),
    onError,
  });
  const whole = useMutation({
    mutationFn: async (what: "fork" | "compact" | "export") => {
      const call = { params: { id: version }, idempotencyKey: crypto.randomUUID() };
      if (what === "export") return exportSession(operator, version, title);
      if (what === "fork") return operator.post("/api/chat/sessions/{id}/fork", call);
      return operator.post("/api/chat/sessions/{id}/compact", call);
    },
    onSuccess: (answer) => {
      if (answer === undefined) return;
      if ("message" in answer) notify({ text: answer.message, tone: "plain" });
      else void navigate({ to: "/chat/$session", params: { session: answer.session_id } });
    },
    onError,
  });
  return { edit: edit.mutate, whole: whole.mutate };
}

/** Deletes a conversation, or clears it, with what the browser keeps of it. Leaves its page where it `isOpen`. */
export function useSessionRemoval(session: string, isOpen: boolean, onDone: () => void) {
  const { operator } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { close } = useTabs();
  const { drafts, draftFiles, live } = useChat();
  const notify = useNotices();
  return useMutation({
    mutationKey: removalKey(session),
    mutationFn: ({ retire, forget }: { readonly retire: boolean; readonly forget: boolean }) =>
      operator.delete("/api/chat/sessions/{id}", {
        params: { id: session },
        query: { retire: retire ? "true" : "false", forget },
      }),
    onSuccess: async ({ kept }, { retire }) => {
      onDone();
      const stays = keptWords(kept);
      if (stays !== undefined) notify({ text: stays, tone: "plain" });
      if (retire) {
        close(session);
        if (isOpen) await navigate({ to: "/chat" });
        // Behind the page of the conversation, whose composer writes its draft as long as it is shown.
        drafts.write(session, NO_DRAFT);
        draftFiles.write(session, []);
        queries.removeQueries({ queryKey: ["sessions", session] });
      } else if (isOpen) {
        // Its versions are gone.
        await navigate({ to: "/chat/$session", params: { session }, search: {} });
      }
      live.forgetAfter(session, "");
      await queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
}
