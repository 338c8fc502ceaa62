import { Link } from "@tanstack/react-router";
import { memo, type ReactElement } from "react";
import { BesideButton, CopyButton, Markdown } from "../../../markdown/index.ts";
import { PromptCard, type WaitingPrompt } from "../../../prompts/index.ts";
import { Button, buttonClass, classNames } from "../../../ui/index.ts";
import { TurnChanges } from "../changes/turn-changes.tsx";
import { isOver } from "../live/live-turn.ts";
import type { UnsentMessage } from "../live/outgoing-message.ts";
import { useLiveTurn } from "../live/use-live-turns.ts";
import type { MovedTo } from "../versions/moved-to.ts";
import { VersionSwitch } from "../versions/version-switch.tsx";
import { AgentLine, TurnFigures } from "./agent-line.tsx";
import { ComponentView } from "./component-view.tsx";
import { type ChangeMessage, Messages } from "./messages.tsx";
import { NotSent } from "./not-sent.tsx";
import { QUOTABLE } from "./quote-selection.tsx";
import { REVEALED } from "./revealed.ts";
import { senderOf, type TurnRow, type TurnView, viewOf } from "./shown-turns.ts";
import { TurnWork } from "./turn-work.tsx";

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
  /** Asks it again and shows its other versions; undefined where the conversation has none. */
  readonly again: AskAgain | undefined;
}

/** How a turn is asked again. */
export interface AskAgain {
  readonly ask: (what: { readonly task: string; readonly text?: string }) => void;
  readonly isAsking: boolean;
  readonly moved: MovedTo;
  /** Shows the version that a session is. */
  readonly show: (session: string) => void;
}

/** Whether tools were called in a turn, so that they may act again when it is asked again. */
export function hasActed(steps: TurnView["steps"]): boolean {
  return steps.some(({ kind }) => kind === "tool");
}

/** A turn: its messages, the agent's steps and its answer. While text arrives only this row is rendered. */
export const TurnItem = memo(DrawnTurn, isSameTurn);

/** Row objects are created again whenever any row changes; what they refer to is not. */
function isSameTurn({ row, ...before }: TurnItemProps, { row: next, ...after }: TurnItemProps): boolean {
  const isSameRow = row.key === next.key && row.stored === next.stored && row.live === next.live;
  return isSameRow && (Object.keys(after) as (keyof typeof after)[]).every((name) => before[name] === after[name]);
}

function DrawnTurn(props: TurnItemProps): ReactElement | null {
  const { session, row, agentName, isLast, prompts = NO_PROMPTS, onStop, actions, again } = props;
  const live = useLiveTurn(row.live);
  const view = viewOf(session, row.stored, live);
  if (view === undefined) return null;
  const versions = row.stored?.versions;
  const growing = view.open && !isOver(view.state);
  return (
    <article aria-label="Turn" className="group/turn flex flex-col gap-5">
      <Messages
        messages={view.messages}
        startedAt={view.startedAt}
        agentName={agentName}
        sender={senderOf((view.stored ?? row.stored)?.origin)}
        change={again === undefined ? undefined : changeOf(view, again)}
      >
        {versions !== undefined && view.taskId !== undefined && again !== undefined && (
          <VersionSwitch versions={versions} task={view.taskId} moved={again.moved} onShow={again.show} />
        )}
      </Messages>
      {view.failure !== undefined && view.taskId === undefined ? (
        <NotSent view={view} row={row} onUnsent={props.onUnsent} />
      ) : (
        <article aria-label={agentName} className="relative flex flex-col gap-2">
          <AgentLine view={view} agentName={agentName} onStop={onStop} />
          <TurnWork session={session} view={view} />
          {view.text !== "" && (
            <div {...QUOTABLE}>
              <Markdown text={view.text} growing={growing} />
            </div>
          )}
          {view.artifacts.map((artifact, index) => (
            <ComponentView key={index} value={artifact} />
          ))}
          <Ending view={view} />
          {view.taskId !== undefined && <TurnChanges taskId={view.taskId} steps={view.steps} />}
          {prompts.map((prompt) => (
            <PromptCard key={prompt.id} prompt={prompt} />
          ))}
          {isOver(view.state) && (
            <div className={classNames("-ml-1.5 flex flex-wrap items-center gap-1 text-ink-soft", !isLast && REVEALED)}>
              {view.text !== "" && <CopyButton text={view.text} label="Copy answer as Markdown" />}
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

/** What changes the message of a turn that ended; undefined where that is not a person's, or not known whole. */
function changeOf({ stored, taskId, state, steps }: TurnView, { ask, isAsking }: AskAgain): ChangeMessage | undefined {
  if (stored === undefined || stored.truncated || taskId === undefined || !isOver(state)) return undefined;
  if (senderOf(stored.origin) !== "You") return undefined;
  return { hasActed: hasActed(steps), isSaving: isAsking, save: (text) => ask({ task: taskId, text }) };
}

/** Failures that last until the connection is changed: its address, its key, its model. */
const OF_CONNECTION: ReadonlySet<string> = new Set(
  [
    ...["network", "unauthorized", "unknown_model", "invalid_base_url", "invalid_header"],
    ...["no_credential", "unsupported_connection", "invalid_connection_id", "no_gateway", "no_model"],
  ].map((code) => `model_${code}`),
);

function isOfConnection(code: string | undefined): boolean {
  return code !== undefined && OF_CONNECTION.has(code);
}

function Ending({ view }: { readonly view: TurnView }): ReactElement | null {
  const { state, note, failure, stored } = view;
  if (failure !== undefined) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-bad-soft px-3 py-2">
        <p className="min-w-0 flex-1 basis-60">
          The connection to this answer was lost: {failure.message} The agent goes on with it.
        </p>
        <Button small onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    );
  }
  if (state === "failed") {
    return (
      <div role="alert" className="rounded-md bg-bad-soft px-3 py-2">
        <p>{note ?? "The turn failed without a reason."}</p>
        <p className="text-sm text-ink-soft">
          Your message is kept. Retry, or open the timeline to see how far the agent came.
        </p>
        {isOfConnection(stored?.failure_code) && (
          <Link to="/settings/connections" className={classNames(buttonClass({ small: true }), "mt-2")}>
            Fix the connection
          </Link>
        )}
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
