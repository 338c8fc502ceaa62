import { memo, type ReactElement } from "react";
import { BesideButton, CopyButton, Markdown } from "../../../markdown/index.ts";
import { PromptCard, type WaitingPrompt } from "../../../prompts/index.ts";
import { classNames } from "../../../ui/index.ts";
import { isOver } from "../live/live-turn.ts";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import { useLiveTurn } from "../live/use-live-turns.ts";
import { AgentLine, TurnFigures } from "./agent-line.tsx";
import { ComponentView } from "./component-view.tsx";
import { Messages } from "./messages.tsx";
import { NotSent } from "./not-sent.tsx";
import { senderOf, type TurnRow, type TurnView, viewOf } from "./shown-turns.ts";
import { StepList } from "./step-list.tsx";

/** Seen while one points at the turn or has the focus in it; always where nothing can hover. */
const REVEALED =
  "opacity-0 transition-opacity duration-120 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 [@media(hover:none)]:opacity-100";
/** Characters from which an answer is a document: some two screens of it. */
const LONG = 3_000;
const NO_PROMPTS: readonly WaitingPrompt[] = [];

/** What a turn is rendered from. */
export interface TurnItemProps {
  readonly session: string;
  readonly row: TurnRow;
  readonly agentName: string;
  /** The newest turn shows its actions always, others while one points at them or has the focus there. */
  readonly isLast: boolean;
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
  const { session, row, agentName, isLast, prompts = NO_PROMPTS, onStop, actions } = props;
  const live = useLiveTurn(row.live);
  const view = viewOf(session, row.stored, live);
  if (view === undefined) return null;
  const growing = view.open && !isOver(view.state);
  return (
    <article aria-label="Turn" className="group/turn flex flex-col gap-5">
      <Messages
        messages={view.messages}
        startedAt={view.startedAt}
        agentName={agentName}
        sender={senderOf((view.stored ?? row.stored)?.origin)}
      />
      {view.failure !== undefined && view.taskId === undefined ? (
        <NotSent view={view} row={row} onUnsent={props.onUnsent} />
      ) : (
        <article aria-label={agentName} className="relative flex flex-col gap-2">
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
            <div className={classNames("-ml-1.5 flex flex-wrap items-center gap-1 text-ink-soft", !isLast && REVEALED)}>
              {view.text !== "" && <CopyButton text={view.text} label="Copy answer" />}
              {view.text.length > LONG && (
                <BesideButton document={{ kind: "markdown", title: `${agentName}'s answer`, text: view.text }} />
              )}
              {actions(view)}
              <TurnFigures view={view} />
            </div>
          )}
        </article>
      )}
    </article>
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
