import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import { useApi } from "../../../api/index.ts";
import { buttonClass } from "../../../ui/index.ts";
import type { TurnHistory } from "../live/turn-history.ts";
import { Meter } from "./meter.tsx";
import { OutOfSight } from "./out-of-sight.tsx";
import { useIsRemoving } from "./removal.ts";
import { SessionActions } from "./session-actions.tsx";
import { useTabs } from "./session-tabs.tsx";

/** The top of a conversation: its title, figures and actions, and below them what the model no longer sees. */
export function ConversationHeader({
  heading: Heading,
  session,
  history,
  isKnown,
}: {
  readonly heading: "h1" | "h2";
  readonly session: string;
  readonly history: TurnHistory;
  /** The service has this session, so it can be renamed and deleted. */
  readonly isKnown: boolean;
}): ReactElement {
  const { operator } = useApi();
  const removing = useIsRemoving(session);
  const begun = history.turns.length > 0;
  const { data } = useQuery({
    queryKey: ["sessions", session, "record"],
    enabled: isKnown && !removing,
    queryFn: () => operator.get("/api/chat/sessions/{id}", { params: { id: session } }),
  });
  const given = data?.title ?? "";
  const { keep } = useTabs();
  useEffect(() => {
    if (data !== undefined) keep({ session, title: data.title });
  }, [data, keep, session]);
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
        <Heading className="min-w-0 flex-1 truncate font-display text-lg font-semibold">
          {given === "" ? (begun ? "Conversation" : "New chat") : given}
        </Heading>
        {begun && <Meter session={session} turns={history.turns} whole={history.older === null} />}
        {isKnown && <SessionActions session={session} title={given} />}
      </header>
      {data?.out_of_sight !== undefined && <OutOfSight {...data.out_of_sight} />}
    </>
  );
}
