import { type ReactElement, useCallback, useMemo, useRef, useState } from "react";
import type { WaitingPrompt } from "../../../prompts/index.ts";
import { Button } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import { Find } from "../find/find.tsx";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import { useSessionRecord } from "../sessions/use-session-record.ts";
import { AskAgainButton } from "../versions/ask-again-button.tsx";
import { BranchedFrom } from "../versions/branched-from.tsx";
import { useAskAgain, useShowVersion } from "../versions/use-versions.ts";
import { DayLine } from "./day-line.tsx";
import { EmptyTranscript } from "./empty-transcript.tsx";
import { MessageList } from "./message-list.tsx";
import { QuoteSelection } from "./quote-selection.tsx";
import { firstOfDays, type TurnView } from "./shown-turns.ts";
import { TurnActions } from "./turn-actions.tsx";
import { hasActed, TurnItem } from "./turn-item.tsx";
import type { ReadConversation } from "./use-conversation.ts";
import type { ListHandle } from "./use-followed-list.ts";

/** What the transcript of a conversation is rendered from. */
export interface TranscriptProps {
  readonly session: string;
  /** The conversation that it is a version of. */
  readonly whole: string;
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
  /** Puts a text of an answer into the message box. */
  readonly onQuote: (text: string) => void;
  readonly canFork: boolean;
}

/** What is sent to take up a turn that was stopped. */
const GO_ON = "Go on where you were stopped.";
/** What is sent to have the rest of an answer. */
const CONTINUE = "Continue where your answer was cut off.";

/** The turns of a conversation with their prompts and actions. */
export function Transcript(props: TranscriptProps): ReactElement {
  const { session, read, agentName, sent, prompts, onStop, onUnsent, onWhy, onSay, canFork } = props;
  const { whole, onQuote } = props;
  const { live, moved } = useChat();
  const days = useMemo(() => firstOfDays(read.rows, (key) => live.get(key)?.startedAt), [read.rows, live]);
  const lastKey = read.rows.at(-1)?.key;
  const lastTask = read.rows.at(-1)?.task;
  const [start] = useState(moved.movedTo);
  const base = useSessionRecord(whole, read.isKnown)?.forked_from;
  const { askAgain, isAsking } = useAskAgain(session, whole);
  const showVersion = useShowVersion(whole);
  const again = useMemo(
    () => (canFork ? { ask: askAgain, isAsking, moved, show: showVersion } : undefined),
    [canFork, askAgain, isAsking, moved, showVersion],
  );
  const actions = useCallback(
    ({ taskId, state, steps, stored }: TurnView) =>
      taskId === undefined ? null : (
        <>
          {stored?.cut === true && taskId === lastTask && (
            <Button small onClick={() => onSay(CONTINUE)}>
              Continue
            </Button>
          )}
          {again !== undefined && (
            <AskAgainButton
              hasActed={hasActed(steps)}
              isAsking={again.isAsking}
              onAsk={() => again.ask({ task: taskId })}
            />
          )}
          {state === "canceled" && taskId === lastTask && (
            <Button small onClick={() => onSay(GO_ON)}>
              Go on
            </Button>
          )}
          <TurnActions {...{ session, taskId, canFork, onWhy }} isLast={taskId === lastTask} />
        </>
      ),
    [session, lastTask, onWhy, onSay, canFork, again],
  );
  const list = useRef<ListHandle>(null);
  if (read.rows.length === 0) return <EmptyTranscript read={read} agentName={agentName} />;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Find session={session} read={read} list={list} />
      <MessageList
        start={start}
        rows={read.rows}
        sent={sent}
        hasOlder={typeof read.history.older === "string" && !read.readingOlder}
        onOlder={() => read.readOlder()}
        handle={list}
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
              again={again}
            />
            {base?.task_id === row.task && base !== undefined && <BranchedFrom {...base} />}
          </>
        )}
      </MessageList>
      <QuoteSelection onQuote={onQuote} />
    </div>
  );
}
