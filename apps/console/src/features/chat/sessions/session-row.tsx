import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { Link } from "@tanstack/react-router";
import { Ghost } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useState } from "react";
import { classNames, RelativeTime, StateBadge, workState } from "../../../ui/index.ts";
import { SessionMenu } from "./session-menu.tsx";
import { shownTitle } from "./shown-title.ts";
import { TitleField } from "./title-field.tsx";
import { useSessionActions } from "./use-session-actions.ts";

type SessionPage = AnswerOf<Extract<OperatorDefinition, { readonly name: "sessions.list" }>>;
/** A conversation in the list. */
export type ListedSession = SessionPage["sessions"][number];

/** A conversation in the list: its title, when it changed, its state, and on hover and focus its menu. */
export function SessionRow({
  session,
  isOpen,
}: {
  readonly session: ListedSession;
  readonly isOpen: boolean;
}): ReactElement {
  const { session_id, title, active, last_state, last_updated, origin, incognito } = session;
  const [isRenaming, setRenaming] = useState(false);
  const { edit } = useSessionActions(session_id, title);
  const state = workState(last_state);
  const shown = active || state === "failed" || state === "waiting";
  const rename = (): void => setRenaming(true);
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "F2") return;
    event.preventDefault();
    rename();
  };
  if (isRenaming) {
    return (
      <li className="flex min-h-11 items-center p-1">
        <TitleField
          title={title}
          onDone={(given) => {
            setRenaming(false);
            if (given !== undefined) edit({ title: given });
          }}
        />
      </li>
    );
  }
  return (
    <li
      className={classNames(
        "group relative rounded-md hover:bg-hover has-[:focus-visible]:bg-hover",
        isOpen && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      <Link
        to="/chat/$session"
        params={{ session: session_id }}
        search={newestOf(session)}
        aria-current={isOpen ? "page" : undefined}
        aria-keyshortcuts="F2"
        className="flex min-h-11 flex-col justify-center gap-0.5 rounded-md px-2.5 py-1.5"
        onDoubleClick={rename}
        onKeyDown={pressed}
      >
        <span className="flex items-center gap-1.5 pr-7">
          {incognito && <Ghost aria-hidden className="size-4 shrink-0 text-ink-soft" />}
          <span data-name className="min-w-0 flex-1 truncate font-medium">
            {shownTitle(session)}
          </span>
        </span>
        <span className="flex min-h-4.5 items-center gap-2 text-xs text-ink-soft">
          <RelativeTime at={last_updated} />
          {origin !== "chat" && origin !== "a2a" && <span className="truncate">{origin}</span>}
          {shown && (
            <span className="ml-auto inline-flex">
              <StateBadge state={state} />
            </span>
          )}
        </span>
      </Link>
      <SessionMenu
        session={session}
        label={`Actions of ${shownTitle(session)}`}
        isOpen={isOpen}
        onRename={rename}
        className="absolute top-1.5 right-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:opacity-100"
      />
    </li>
  );
}

/** The part of the address that shows the newest version of a conversation. */
function newestOf({ session_id, latest_version = session_id }: ListedSession): { readonly version?: string } {
  return latest_version === session_id ? {} : { version: latest_version };
}
