import { type ReactElement, useCallback, useMemo } from "react";
import type { WaitingPrompt } from "../../../prompts/index.ts";
import { Button } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import { DayLine } from "./day-line.tsx";
import { EmptyTranscript } from "./empty-transcript.tsx";
import { MessageList } from "./message-list.tsx";
import { firstOfDays, type TurnView } from "./shown-turns.ts";
import { TurnActions } from "./turn-actions.tsx";
import { TurnItem } from "./turn-item.tsx";
import type { ReadConversation } from "./use-conversation.ts";

/** What the transcript of a conversation is rendered from. */
export interface TranscriptProps {
  readonly session: string;
  readonly read: ReadConversation;
  readonly agentName: string;
  /** Number of messages sent from this page: the view scrolls to the end whenever it grows. */
  readonly sent: number;
  /** What waits for a person, by the turn it waits in. */
  readonly prompts: ReadonlyMap<string, readonly WaitingPrompt[]>;
  /** Stops a turn. */
  readonly onStop: (taskId: string) => void;
  readonly onUnsent: (message: UnsentMessage) => void;
  /** Opens the inspector of a turn. */
  readonly onWhy: (taskId: string) => void;
  /** Sends a message that is offered to be pressed. */
  readonly onSay: (text: string) => void;
  readonly canFork: boolean;
}

/** What is sent to take up a turn that was stopped. */
const GO_ON = "Go on where you were stopped.";

/** The turns of a conversation with their prompts and actions. */
export function Transcript(props: TranscriptProps): ReactElement {
  const { session, read, agentName, sent, prompts, onStop, onUnsent, onWhy, onSay, canFork } = props;
  const { live } = useChat();
  const days = useMemo(() => firstOfDays(read.rows, (key) => live.get(key)?.startedAt), [read.rows, live]);
  const lastKey = read.rows.at(-1)?.key;
  const lastTask = read.rows.at(-1)?.task;
  const actions = useCallback(
    ({ taskId, state }: TurnView) =>
      taskId === undefined ? null : (
        <>
          {state === "canceled" && taskId === lastTask && (
            <Button small onClick={() => onSay(GO_ON)}>
              Go on
            </Button>
          )}
          <TurnActions session={session} taskId={taskId} isLast={taskId === lastTask} canFork={canFork} onWhy={onWhy} />
        </>
      ),
    [session, lastTask, onWhy, onSay, canFork],
  );
  if (read.rows.length === 0) return <EmptyTranscript read={read} agentName={agentName} />;
  return (
    <MessageList
      rows={read.rows}
      sent={sent}
      hasOlder={typeof read.history.older === "string" && !read.readingOlder}
      onOlder={read.readOlder}
    >
      {(row) => (
        <>
          <DayLine day={days.get(row.key)} isFirst={row === read.rows[0]} />
          <TurnItem
            session={session}
            row={row}
            agentName={agentName}
            prompts={row.stored === undefined ? undefined : prompts.get(row.stored.task_id)}
            isLast={row.key === lastKey}
            onStop={row.key === lastKey ? undefined : onStop}
            onUnsent={onUnsent}
            actions={actions}
          />
        </>
      )}
    </MessageList>
  );
}
