import { memo, type ReactElement } from "react";
import { useConnection } from "../../../api/index.ts";
import { CopyButton, Markdown } from "../../../markdown/index.ts";
import { PromptCard, type WaitingPrompt } from "../../../prompts/index.ts";
import { Button, dollars, duration, StateBadge, tokens } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import { isOver } from "../live/live-turn.ts";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import { useLiveTurn } from "../live/use-live-turns.ts";
import { ComponentView } from "./component-view.tsx";
import { Elapsed } from "./elapsed.tsx";
import { messageText } from "./message-text.ts";
import { senderOf, type TurnMessage, type TurnRow, type TurnView, viewOf } from "./shown-turns.ts";
import { StepList } from "./step-list.tsx";

const NO_PROMPTS: readonly WaitingPrompt[] = [];

/** What a turn is rendered from. */
export interface TurnItemProps {
  readonly row: TurnRow;
  readonly agentName: string;
  readonly prompts: readonly WaitingPrompt[] | undefined;
  /** Stops it. Undefined for the newest turn, which the composer stops. */
  readonly onStop: ((taskId: string) => void) | undefined;
  /** Puts a message that could not be sent back into the composer. */
  readonly onUnsent: (message: UnsentMessage) => void;
  readonly actions: (view: TurnView) => ReactElement | null;
}

/** A turn: its messages, the agent's steps and its answer. While text arrives only this row is rendered. */
export const TurnItem = memo(DrawnTurn, isSameTurn);

/** Row objects are created again whenever any row changes; what they refer to is not. */
function isSameTurn({ row, ...before }: TurnItemProps, { row: next, ...after }: TurnItemProps): boolean {
  const isSameRow = row.key === next.key && row.stored === next.stored && row.live === next.live;
  return isSameRow && (Object.keys(after) as (keyof typeof after)[]).every((name) => before[name] === after[name]);
}

function DrawnTurn(props: TurnItemProps): ReactElement | null {
  const { row, agentName, prompts = NO_PROMPTS, onStop, actions } = props;
  const live = useLiveTurn(row.live);
  const view = viewOf(row.stored, live);
  if (view === undefined) return null;
  const growing = view.open && !isOver(view.state);
  return (
    <article aria-label="Turn" className="flex flex-col gap-3">
      <Messages
        messages={view.messages}
        startedAt={view.startedAt}
        agentName={agentName}
        sender={senderOf((view.stored ?? row.stored)?.origin)}
      />
      {view.failure !== undefined && view.taskId === undefined ? (
        <NotSent view={view} row={row} onUnsent={props.onUnsent} />
      ) : (
        <article aria-label={agentName} className="group/turn flex flex-col gap-2">
          <AgentLine view={view} agentName={agentName} onStop={onStop} />
          <StepList steps={view.steps} taskId={view.taskId} over={isOver(view.state)} />
          {view.text !== "" && <Markdown text={view.text} growing={growing} />}
          {view.artifacts.map((artifact, index) => (
            <ComponentView key={index} value={artifact} />
          ))}
          <Ending view={view} />
          {prompts.map((prompt) => (
            <PromptCard key={prompt.id} prompt={prompt} />
          ))}
          {isOver(view.state) && (
            <div className="flex flex-wrap items-center gap-1 text-ink-soft">
              {view.text !== "" && <CopyButton text={view.text} label="Copy answer" />}
              {actions(view)}
            </div>
          )}
        </article>
      )}
    </article>
  );
}

function timeOf(at: number | string): string {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function Messages({
  messages,
  startedAt,
  agentName,
  sender,
}: {
  readonly messages: readonly TurnMessage[];
  readonly startedAt: number;
  readonly agentName: string;
  /** Label of the sender of the first message. */
  readonly sender: string;
}): ReactElement {
  const senderOfMessage = ({ role }: TurnMessage, index: number): string =>
    role === "agent" ? `${agentName} asked` : index === 0 ? sender : "You";
  return (
    <article aria-label={sender} className="flex flex-col gap-2">
      {messages.map((one, index) => (
        <div key={index} className={one.role === "user" ? "rounded-lg bg-sunken px-3 py-2" : "px-3"}>
          <p className="flex items-baseline justify-between gap-3 text-xs text-ink-soft">
            <span className="font-semibold">{senderOfMessage(one, index)}</span>
            <time dateTime={one.at} title={new Date(one.at).toLocaleString()}>
              {timeOf(one.at)}
            </time>
          </p>
          {one.text !== "" && <p className="max-w-[76ch] whitespace-pre-wrap">{messageText(one.text)}</p>}
          {one.files.length > 0 && <p className="text-sm text-ink-soft">With {one.files.join(", ")}</p>}
        </div>
      ))}
      {messages.length === 0 && <p className="text-xs text-ink-soft">Started at {timeOf(startedAt)}</p>}
    </article>
  );
}

function AgentLine({
  view,
  agentName,
  onStop,
}: {
  readonly view: TurnView;
  readonly agentName: string;
  readonly onStop: ((taskId: string) => void) | undefined;
}): ReactElement {
  const { state, taskId, stored, reconnecting } = view;
  const over = isOver(state);
  const lost = useConnection() === "lost";
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-0.5 text-sm text-ink-soft">
      <h2 className="font-semibold text-ink">{agentName}</h2>
      {reconnecting || (!over && lost) ? (
        <span role="status">Reconnecting…</span>
      ) : (
        state !== "completed" && <StateBadge state={state} />
      )}
      {over ? (
        <span className="tabular-nums" title={stored?.model ?? undefined}>
          {duration(stored?.duration_ms)} · {tokens(view.tokens)} tokens
          {stored !== undefined && stored.cost_usd !== null && (
            <span title="Estimated from the model's price list"> · ≈ {dollars(stored.cost_usd)}</span>
          )}
        </span>
      ) : (
        <span className="tabular-nums">
          <Elapsed since={view.startedAt} /> ·{" "}
          <span title="Of the finished model calls">{tokens(view.tokens)} tokens</span>
        </span>
      )}
      {!over && taskId !== undefined && onStop !== undefined && (
        <Button small className="ml-auto" onClick={() => onStop(taskId)}>
          Stop
        </Button>
      )}
    </div>
  );
}

function Ending({ view }: { readonly view: TurnView }): ReactElement | null {
  const { state, note, failure, stored } = view;
  if (failure !== undefined) {
    return (
      <p role="alert" className="rounded-md bg-bad-soft px-3 py-2">
        The connection to this answer was lost: {failure.message} The agent continues; reload to see it.
      </p>
    );
  }
  if (state === "failed") {
    return (
      <div role="alert" className="rounded-md bg-bad-soft px-3 py-2">
        <p>{note ?? "The turn failed without a reason."}</p>
        <p className="text-sm text-ink-soft">
          Your message is kept. Retry, or open the timeline to see how far the agent came.
        </p>
      </div>
    );
  }
  return (
    <>
      {note !== undefined && <p className="text-sm text-ink-soft">{note}</p>}
      {stored?.truncated === true && (
        <p className="text-sm text-ink-soft">A text of this turn is longer than the 64 kB shown here.</p>
      )}
    </>
  );
}

function NotSent({
  view,
  row,
  onUnsent,
}: {
  readonly view: TurnView;
  readonly row: TurnRow;
  readonly onUnsent: (message: UnsentMessage) => void;
}): ReactElement {
  const { live } = useChat();
  const key = row.live ?? row.key;
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-md bg-bad-soft px-3 py-2">
      <p>Not sent: {view.failure?.message}</p>
      <div className="flex flex-wrap gap-2">
        <Button small onClick={() => live.retry(key)}>
          Send again
        </Button>
        <Button
          small
          onClick={() => {
            const message = live.withdraw(key);
            if (message !== undefined) onUnsent(message);
          }}
        >
          Edit
        </Button>
      </div>
    </div>
  );
}
