import { type ReactElement, useCallback } from "react";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import { EmptyTranscript } from "./empty-transcript.tsx";
import { MessageList } from "./message-list.tsx";
import type { TurnRow, TurnView } from "./shown-turns.ts";
import { TurnActions } from "./turn-actions.tsx";
import { TurnItem } from "./turn-item.tsx";
import { type ReadConversation, useWaitingPrompts } from "./use-conversation.ts";
import { useStop, useStopCommand } from "./use-conversation-actions.ts";

/** What the transcript of a conversation is rendered from. */
export interface TranscriptProps {
  readonly session: string;
  readonly read: ReadConversation;
  readonly agentName: string;
  /** Number of messages sent from this page: the view scrolls to the end whenever it grows. */
  readonly sent: number;
  readonly working: TurnRow | undefined;
  readonly onUnsent: (message: UnsentMessage) => void;
  /** Opens the inspector of a turn. */
  readonly onWhy: (taskId: string) => void;
  /** Sends one of the messages offered in an empty conversation. */
  readonly onExample: (text: string) => void;
}

/** The turns of a conversation with their prompts and actions. */
export function Transcript(props: TranscriptProps): ReactElement {
  const { session, read, agentName, sent, working, onUnsent, onWhy, onExample } = props;
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
  if (read.rows.length === 0) return <EmptyTranscript read={read} agentName={agentName} onExample={onExample} />;
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
          onUnsent={onUnsent}
          actions={actions}
        />
      )}
    </MessageList>
  );
}
