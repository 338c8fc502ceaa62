import { Link, useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactElement } from "react";
import { useTabsShown } from "../../../appearance/index.ts";
import { Button, classNames } from "../../../ui/index.ts";
import { useTabs } from "./use-tabs.ts";

/** The tabs above the conversation, where a person wants them; hidden with fewer than two, and on a phone. */
export function SessionTabs({ open }: { readonly open: string }): ReactElement | null {
  const { tabs, close } = useTabs();
  const navigate = useNavigate();
  const { shown } = useTabsShown();
  if (!shown || tabs.length < 2) return null;
  const closed = (session: string): void => {
    const beside = close(session);
    if (session !== open) return;
    if (beside === undefined) void navigate({ to: "/chat" });
    else void navigate({ to: "/chat/$session", params: { session: beside.session } });
  };
  return (
    <nav aria-label="Open chats" className="flex overflow-x-auto border-b border-line bg-sunken max-list:hidden">
      {tabs.map(({ session, title }) => (
        <div
          key={session}
          className={classNames(
            "flex min-w-24 max-w-52 shrink items-center border-r border-line pr-1",
            session === open && "bg-ground",
          )}
        >
          <Link
            to="/chat/$session"
            params={{ session }}
            aria-current={session === open ? "page" : undefined}
            className={classNames(
              "min-w-0 flex-1 truncate py-1.5 pl-3 text-sm",
              session === open ? "font-medium" : "text-ink-soft hover:text-ink",
            )}
          >
            {title === "" ? "Untitled" : title}
          </Link>
          <Button kind="quiet" icon small aria-label={`Close ${title}`} onClick={() => closed(session)}>
            <X aria-hidden className="size-3.5" />
          </Button>
        </div>
      ))}
    </nav>
  );
}
