import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactElement, useCallback, useState } from "react";
import { useApi, useRuntimeStatus } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import { buttonClass, EmptyState, ErrorState, failureOf, SkeletonRows } from "../../ui/index.ts";
import { Announcer } from "./announcer.tsx";
import { useChat } from "./chat-context.tsx";
import { Composer } from "./composer.tsx";
import type { Outgoing } from "./live-turns.ts";
import { MessageList } from "./message-list.tsx";
import { TurnItem } from "./turn-item.tsx";
import { useConversation, useWaitingPrompts } from "./use-conversation.ts";

/** A conversation with the agent: what was said, and where one says more. */
export function Conversation({
  session,
  fresh = false,
  heading = "h1",
  onBegin,
}: {
  readonly session: string;
  /** It has not begun. */
  readonly fresh?: boolean;
  readonly heading?: "h1" | "h2";
  /** Told when the first message of a new conversation was sent. */
  readonly onBegin?: () => void;
}): ReactElement {
  const { live } = useChat();
  const read = useConversation(session, fresh);
  const prompts = useWaitingPrompts(session);
  const agentName = useRuntimeStatus()?.identity.name ?? "Agent";
  const [sent, setSent] = useState(0);
  const [taken, setTaken] = useState<{ readonly text: string; readonly no: number }>({ text: "", no: 0 });
  const stop = useStop();
  const send = useCallback(
    (message: Outgoing) => {
      live.send(message);
      setSent((count) => count + 1);
      onBegin?.();
    },
    [live, onBegin],
  );
  const takeBack = useCallback((text: string) => setTaken(({ no }) => ({ text, no: no + 1 })), []);
  const none = useCallback(() => null, []);
  const last = read.rows.at(-1);
  return (
    <div className="flex h-full min-w-0 flex-1 flex-col">
      <ConversationHeader heading={heading} session={session} begun={read.history.turns.length > 0} />
      {read.isPending && read.rows.length === 0 ? (
        <div className="mx-auto w-full max-w-3xl flex-1">
          <SkeletonRows />
        </div>
      ) : read.error !== null && read.rows.length === 0 ? (
        <ErrorState title="This conversation cannot be read" error={read.error} onRetry={read.again} />
      ) : read.rows.length === 0 ? (
        <div className="flex-1 overflow-y-auto">
          <EmptyState title={`What should ${agentName} do?`}>
            Write below. The answer, every step on the way to it and what waits for you stand here.
          </EmptyState>
        </div>
      ) : (
        <MessageList
          rows={read.rows}
          sent={sent}
          hasOlder={typeof read.history.older === "string" && !read.readingOlder}
          onOlder={read.readOlder}
        >
          {(row) => (
            <TurnItem
              row={row}
              agentName={agentName}
              prompts={row.stored === undefined ? undefined : prompts.get(row.stored.task_id)}
              onStop={stop}
              onTakeBack={takeBack}
              actions={none}
            />
          )}
        </MessageList>
      )}
      <Announcer key={last?.key} row={last} agentName={agentName} />
      <Composer
        key={taken.no}
        session={session}
        draftKey={fresh ? "new" : session}
        initial={taken.text}
        onSend={send}
      />
    </div>
  );
}

function useStop(): (taskId: string) => void {
  const { live } = useChat();
  const tell = useNotices();
  return useCallback(
    (taskId) => {
      live.cancel(taskId).catch((error: unknown) => tell({ text: failureOf(error).message, tone: "bad" }));
    },
    [live, tell],
  );
}

function ConversationHeader({
  heading: Heading,
  session,
  begun,
}: {
  readonly heading: "h1" | "h2";
  readonly session: string;
  readonly begun: boolean;
}): ReactElement {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["sessions", session, "record"],
    enabled: begun,
    queryFn: () => operator.get("/api/chat/sessions/{id}", { params: { id: session } }),
  });
  const title =
    data === undefined ? (begun ? "Conversation" : "New chat") : data.title === "" ? "Untitled" : data.title;
  return (
    <header className="flex min-h-12 items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
      <Link
        to="/chat"
        aria-label="All conversations"
        className={`${buttonClass({ kind: "quiet", icon: true, small: true })} list:hidden`}
      >
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
      <Heading className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</Heading>
    </header>
  );
}
