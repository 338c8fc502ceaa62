import { type ReactElement, useCallback, useEffect, useMemo, useState } from "react";
import { useRuntimeStatus } from "../../api/index.ts";
import { BesideContext, loadMarkdown } from "../../markdown/index.ts";
import { useChat } from "./chat-context.tsx";
import { BypassBanner, useBypassing } from "./composer/bypassing.tsx";
import { Composer } from "./composer/composer.tsx";
import { useStarter } from "./composer/use-starter.ts";
import { isOver } from "./live/live-turn.ts";
import type { OutgoingMessage, UnsentMessage } from "./live/outgoing-message.ts";
import { ConversationHeader } from "./sessions/conversation-header.tsx";
import { SessionTabs } from "./sessions/session-tabs.tsx";
import { useSessionRecord } from "./sessions/use-session-record.ts";
import { Announcer } from "./transcript/announcer.tsx";
import { Starters } from "./transcript/starters.tsx";
import { Transcript } from "./transcript/transcript.tsx";
import { useConversation, useWaitingPrompts } from "./transcript/use-conversation.ts";
import { useAnswer, useSteer, useStop, useStopKeys, useStopOf } from "./transcript/use-conversation-actions.ts";
import { useRowState } from "./transcript/use-row-state.ts";
import { UnderWay } from "./under-way/under-way.tsx";
import { useBeside } from "./use-beside.tsx";

/** Which conversation is shown, and how. */
export interface ConversationProps {
  readonly session: string;
  /** The conversation that it is a version of: the one that is listed. Default: itself. */
  readonly whole?: string;
  /** No message of it has been sent yet. */
  readonly fresh?: boolean;
  readonly heading?: "h1" | "h2";
  /** Called when the first message of a new conversation was sent. */
  readonly onBegin?: () => void;
}

/** A conversation with the agent: header, transcript and composer, with the inspector beside them. */
export function Conversation(props: ConversationProps): ReactElement {
  const { session, whole = session, fresh = false, heading = "h1", onBegin } = props;
  const { live } = useChat();
  // Started while the turns are read, not after.
  useEffect(loadMarkdown, []);
  const read = useConversation(session, whole, fresh);
  const agentName = useRuntimeStatus()?.identity.name ?? "Agent";
  const [sent, setSent] = useState(0);
  const [unsent, setUnsent] = useState<{ readonly message?: UnsentMessage; readonly no: number }>({ no: 0 });
  const [quoted, setQuoted] = useState<string>();
  const restore = useCallback((message: UnsentMessage) => setUnsent(({ no }) => ({ message, no: no + 1 })), []);
  const steer = useSteer(session, restore);
  const answer = useAnswer(restore);
  const stop = useStop(session, restore);
  const prompts = useWaitingPrompts(session);
  const waiting = useMemo(() => [...prompts.values()].flat(), [prompts]);
  const draftKey = fresh ? "new" : whole;
  const sendNow = useCallback(
    (message: OutgoingMessage) => {
      live.send(message);
      setSent((before) => before + 1);
      onBegin?.();
    },
    [live, onBegin],
  );
  const send = useBypassing(draftKey, fresh ? session : draftKey, sendNow);
  const last = read.rows.at(-1);
  const state = useRowState(last);
  const stopLast = useStopOf(state === undefined || isOver(state) ? undefined : last, stop);
  useStopKeys(stopLast);
  const { openWhy, openDocument, pane } = useBeside(session, last, stopLast !== undefined);
  const isIncognito = useSessionRecord(session, read.isKnown, whole)?.incognito === true;
  const say = useStarter({ session, draftKey, fresh, send });
  const hasBegun = read.rows.length > 0 || read.isPending || read.error !== null;
  return (
    <div className="flex h-full min-w-0 flex-1">
      <div className="flex h-full min-w-0 flex-1 flex-col">
        <SessionTabs open={whole} />
        <ConversationHeader {...{ heading, session, whole }} history={read.history} isKnown={read.isKnown} />
        <BesideContext.Provider value={openDocument}>
          <Transcript
            {...{ session, whole, read, agentName, sent, prompts }}
            onStop={stop}
            onUnsent={restore}
            onWhy={openWhy}
            onSay={say}
            onQuote={setQuoted}
            canFork={!isIncognito}
          />
        </BesideContext.Provider>
        <Announcer key={last?.key} row={last} agentName={agentName} />
        {read.history.turns.length > 0 && <UnderWay session={session} />}
        <BypassBanner conversation={draftKey} />
        <Composer
          key={unsent.no}
          session={session}
          draftKey={draftKey}
          fresh={fresh}
          isIncognito={isIncognito}
          initial={unsent.message}
          running={state === "working" || state === "queued"}
          prompts={waiting}
          agentName={agentName}
          onSend={send}
          onSteer={steer}
          onAnswer={answer}
          onStop={stopLast}
          quoted={quoted}
          onQuoted={() => setQuoted(undefined)}
        />
        {hasBegun || (
          <div className="mx-auto w-full max-w-[49.5rem] flex-[5] overflow-y-auto px-4 pb-4">
            <Starters onSend={say} />
          </div>
        )}
      </div>
      {pane}
    </div>
  );
}
