import { type ReactElement, useCallback, useEffect, useState } from "react";
import { useRuntimeStatus } from "../../api/index.ts";
import { loadMarkdown } from "../../markdown/index.ts";
import { useChat } from "./chat-context.tsx";
import { Composer } from "./composer/composer.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { isOver } from "./live/live-turn.ts";
import type { OutgoingMessage, UnsentMessage } from "./live/outgoing-message.ts";
import { ConversationHeader } from "./sessions/conversation-header.tsx";
import { SessionTabs } from "./sessions/session-tabs.tsx";
import { Announcer } from "./transcript/announcer.tsx";
import { Transcript } from "./transcript/transcript.tsx";
import { UnderWay } from "./transcript/under-way.tsx";
import { useConversation } from "./transcript/use-conversation.ts";
import { useSteer } from "./transcript/use-conversation-actions.ts";
import { useRowState } from "./transcript/use-row-state.ts";

/** Which conversation is shown, and how. */
export interface ConversationProps {
  readonly session: string;
  /** No message of it has been sent yet. */
  readonly fresh?: boolean;
  readonly heading?: "h1" | "h2";
  /** Called when the first message of a new conversation was sent. */
  readonly onBegin?: () => void;
}

/** A conversation with the agent: header, transcript and composer, with the inspector beside them. */
export function Conversation({ session, fresh = false, heading = "h1", onBegin }: ConversationProps): ReactElement {
  const { live } = useChat();
  // Started while the turns are read, not after.
  useEffect(loadMarkdown, []);
  const read = useConversation(session, fresh);
  const agentName = useRuntimeStatus()?.identity.name ?? "Agent";
  const [sent, setSent] = useState(0);
  const [unsent, setUnsent] = useState<{ readonly message?: UnsentMessage; readonly no: number }>({ no: 0 });
  const [why, setWhy] = useState<string>();
  const restore = useCallback((message: UnsentMessage) => setUnsent(({ no }) => ({ message, no: no + 1 })), []);
  const steer = useSteer(session, restore);
  const send = useCallback(
    (message: OutgoingMessage) => {
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
          onUnsent={restore}
          onWhy={setWhy}
          onExample={(text) => send({ session, text, files: [], model: "", incognito: false })}
        />
        <Announcer key={last?.key} row={last} agentName={agentName} />
        {read.history.turns.length > 0 && <UnderWay session={session} />}
        <Composer
          key={unsent.no}
          session={session}
          draftKey={fresh ? "new" : session}
          initial={unsent.message}
          busy={busy}
          agentName={agentName}
          waits={state === "waiting"}
          onSend={send}
          onSteer={steer}
        />
      </div>
      {why !== undefined && <Inspector key={why} taskId={why} onClose={() => setWhy(undefined)} />}
    </div>
  );
}
