import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { BoardLink } from "../../../board-link/index.ts";
import { buttonClass } from "../../../ui/index.ts";
import type { TurnHistory } from "../live/turn-history.ts";
import { IncognitoBanner } from "./incognito-banner.tsx";
import { Meter } from "./meter.tsx";
import { OutOfSight } from "./out-of-sight.tsx";
import { SessionActions } from "./session-actions.tsx";
import { shownTitle } from "./shown-title.ts";
import { TitleField } from "./title-field.tsx";
import { useSessionActions } from "./use-session-actions.ts";
import { useSessionRecord } from "./use-session-record.ts";
import { useTabs } from "./use-tabs.ts";

/** The top of a conversation: its title, figures and actions, and below them what the model no longer sees. */
export function ConversationHeader({
  heading: Heading,
  session,
  whole,
  history,
  isKnown,
}: {
  readonly heading: "h1" | "h2";
  readonly session: string;
  /** The conversation that it is a version of. */
  readonly whole: string;
  readonly history: TurnHistory;
  /** The service has this session, so it can be renamed and deleted. */
  readonly isKnown: boolean;
}): ReactElement {
  const begun = history.turns.length > 0;
  const data = useSessionRecord(whole, isKnown);
  const shown = useSessionRecord(session, isKnown, whole);
  const given = data === undefined ? "" : shownTitle(data, "");
  const { edit } = useSessionActions(whole, given);
  const [isRenaming, setRenaming] = useState(false);
  const rename = useCallback(() => setRenaming(true), []);
  const { keep } = useTabs();
  useEffect(() => {
    if (data !== undefined) keep({ session: whole, title: shownTitle(data, "") });
  }, [data, keep, whole]);
  return (
    <>
      <header className="flex min-h-12 items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <Link
          to="/chat"
          aria-label="All conversations"
          className={`${buttonClass({ kind: "quiet", icon: true, small: true })} list:hidden`}
        >
          <ArrowLeft aria-hidden className="size-5" />
        </Link>
        <Heading
          className={isRenaming ? "sr-only" : "min-w-0 flex-1 truncate font-display text-lg font-semibold"}
          onDoubleClick={isKnown ? rename : undefined}
        >
          {given === "" ? (begun ? "Conversation" : "New chat") : given}
        </Heading>
        {isRenaming && (
          <TitleField
            title={data?.title ?? ""}
            onDone={(title) => {
              setRenaming(false);
              if (title !== undefined) edit({ title });
            }}
          />
        )}
        {begun && <Meter session={session} turns={history.turns} whole={history.older === null} />}
        {isKnown && data !== undefined && <SessionActions session={data} version={session} onRename={rename} />}
      </header>
      {/* The board's turns come over the operator API. */}
      {isKnown && (data?.origin === "board" || data?.origin === "chat") && (
        <div className="px-4 empty:hidden [&>p]:py-1.5">
          <BoardLink session={session} />
        </div>
      )}
      {isKnown && data?.incognito === true && <IncognitoBanner session={session} />}
      {shown?.out_of_sight !== undefined && <OutOfSight {...shown.out_of_sight} />}
    </>
  );
}
