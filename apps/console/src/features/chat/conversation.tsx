import { Link } from "@tanstack/react-router";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { useRuntimeStatus } from "../../api/index.ts";
import { loadMarkdown } from "../../markdown/index.ts";
import { buttonClass, EmptyState, ErrorState, SkeletonRows } from "../../ui/index.ts";
import { Announcer } from "./announcer.tsx";
import { useChat } from "./chat-context.tsx";
import { Composer } from "./composer.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import { Inspector } from "./inspector.tsx";
import { isOver } from "./live-turn.ts";
import type { Outgoing } from "./live-turns.ts";
import { MessageList } from "./message-list.tsx";
import { ScriptedExamples } from "./scripted-examples.tsx";
import { SessionTabs } from "./session-tabs.tsx";
import type { TurnRow, TurnView } from "./shown-turns.ts";
import { TurnActions } from "./turn-actions.tsx";
import { TurnItem } from "./turn-item.tsx";
import { UnderWay } from "./under-way.tsx";
import { type ReadConversation, useConversation, useWaitingPrompts } from "./use-conversation.ts";
import { useSteer, useStop, useStopCommand } from "./use-conversation-actions.ts";
import type { TakenBack } from "./use-draft.ts";
import { useRowState } from "./use-row-state.ts";

/** Of a conversation. */
export interface ConversationProps {
  readonly session: string;
  /** It has not begun. */
  readonly fresh?: boolean;
  readonly heading?: "h1" | "h2";
  /** Told when the first message of a new conversation was sent. */
  readonly onBegin?: () => void;
}

/** A conversation with the agent: what was said, and where one says more. */
export function Conversation({ session, fresh = false, heading = "h1", onBegin }: ConversationProps): ReactElement {
  const { live } = useChat();
  // While the turns are read, not after: both take their time.
  useEffect(loadMarkdown, []);
  const read = useConversation(session, fresh);
  const agentName = useRuntimeStatus()?.identity.name ?? "Agent";
  const [sent, setSent] = useState(0);
  const [taken, setTaken] = useState<{ readonly message?: TakenBack; readonly no: number }>({ no: 0 });
  const [why, setWhy] = useState<string>();
  const takeBack = useCallback((message: TakenBack) => setTaken(({ no }) => ({ message, no: no + 1 })), []);
  const steer = useSteer(session, takeBack);
  const send = useCallback(
    (message: Outgoing) => {
      live.send(message);
      setSent((before) => before + 1);
      onBegin?.();
    },
    [live, onBegin],
  );
  const last = read.rows.at(-1);
  const state = useRowState(last);
  const busy = state !== undefined && !isOver(state);
  return (
    <div className="flex h-full min-w-0 flex-1">
      <div className="flex h-full min-w-0 flex-1 flex-col">
        <SessionTabs open={session} />
        <ConversationHeader heading={heading} session={session} history={read.history} isKnown={read.isKnown} />
        <Transcript
          {...{ session, read, agentName, sent }}
          working={busy ? last : undefined}
          onTakeBack={takeBack}
          onWhy={setWhy}
          onExample={(text) => send({ session, text, files: [], model: "", incognito: false })}
        />
        <Announcer key={last?.key} row={last} agentName={agentName} />
        {read.history.turns.length > 0 && <UnderWay session={session} />}
        <Composer
          key={taken.no}
          session={session}
          draftKey={fresh ? "new" : session}
          initial={taken.message}
          busy={busy}
          onSend={send}
          onSteer={steer}
        />
      </div>
      {why !== undefined && <Inspector key={why} taskId={why} onClose={() => setWhy(undefined)} />}
    </div>
  );
}

interface TranscriptProps {
  readonly session: string;
  readonly read: ReadConversation;
  readonly agentName: string;
  readonly sent: number;
  /** The turn at work. */
  readonly working: TurnRow | undefined;
  readonly onTakeBack: (message: TakenBack) => void;
  readonly onWhy: (taskId: string) => void;
  /** Sends one of the messages that are offered where nothing was said yet. */
  readonly onExample: (text: string) => void;
}

function Transcript(props: TranscriptProps): ReactElement {
  const { session, read, agentName, sent, working, onTakeBack, onWhy, onExample } = props;
  const prompts = useWaitingPrompts(session);
  const stop = useStop();
  useStopCommand(working, stop);
  const lastTask = read.rows.at(-1)?.task;
  const actions = useCallback(
    ({ taskId }: TurnView) =>
      taskId === undefined ? null : (
        <TurnActions session={session} taskId={taskId} isLast={taskId === lastTask} onWhy={onWhy} />
      ),
    [session, lastTask, onWhy],
  );
  if (read.rows.length === 0) return <NoTurns read={read} agentName={agentName} onExample={onExample} />;
  return (
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
          onTakeBack={onTakeBack}
          actions={actions}
        />
      )}
    </MessageList>
  );
}

function NoTurns({
  read,
  agentName,
  onExample,
}: Pick<TranscriptProps, "read" | "agentName" | "onExample">): ReactElement {
  const isScripted = useRuntimeStatus()?.model.provider === "scripted";
  if (read.isPending) {
    return (
      <div className="mx-auto w-full max-w-3xl flex-1">
        <SkeletonRows />
      </div>
    );
  }
  return (
    <div className="flex-1 overflow-y-auto">
      {read.error === null ? (
        <EmptyState
          title={`What should ${agentName} do?`}
          action={isScripted && <ScriptedExamples onSend={onExample} />}
        >
          {isScripted
            ? "Write below. The scripted model repeats what you write, and does what lines such as these tell it:"
            : "Write below. The answer, every step on the way to it and what waits for you stand here."}
        </EmptyState>
      ) : (
        <ErrorState
          title="This conversation cannot be read"
          error={read.error}
          onRetry={read.again}
          back={
            <Link to="/chat" className={buttonClass({})}>
              Show all conversations
            </Link>
          }
        />
      )}
    </div>
  );
}
