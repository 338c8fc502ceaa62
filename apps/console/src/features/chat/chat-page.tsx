import { Outlet, useMatches, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { ListColumn } from "../../list-column/index.ts";
import { classNames } from "../../ui/index.ts";
import { ChatProvider } from "./chat-context.tsx";
import { Conversation } from "./conversation.tsx";
import { newSessionId } from "./sessions/new-session-id.ts";
import { SessionList } from "./sessions/session-list.tsx";
import { useShownVersion } from "./versions/use-versions.ts";

/** The conversations beside the one that is open; on a phone they are two pages. */
export function ChatPage(): ReactElement {
  const { session } = useParams({ strict: false }) as { readonly session?: string };
  const isList = useMatches({ select: (matches) => matches.at(-1)?.fullPath === "/chat/" });
  return (
    <ChatProvider>
      <div className="flex min-w-0 flex-1">
        <ListColumn hidden={!isList}>
          <SessionList open={session} heading={isList ? "h1" : "h2"} />
        </ListColumn>
        <div className={classNames("min-w-0 flex-1", isList ? "hidden list:flex" : "flex")}>
          <Outlet />
        </div>
      </div>
    </ChatProvider>
  );
}

/** A conversation without a message yet. */
export function NewConversation(): ReactElement {
  return <Begin heading="h1" />;
}

/** A new conversation beside the list. */
export function BesideList(): ReactElement {
  return <Begin heading="h2" />;
}

function Begin({ heading }: { readonly heading: "h1" | "h2" }): ReactElement {
  const [session] = useState(newSessionId);
  const navigate = useNavigate();
  return (
    <Conversation
      session={session}
      fresh
      heading={heading}
      onBegin={() => void navigate({ to: "/chat/$session", params: { session } })}
    />
  );
}

/** The conversation that the address names. */
export function OpenConversation(): ReactElement {
  const { session = "" } = useParams({ strict: false }) as { readonly session?: string };
  return <ShownVersion key={session} session={session} />;
}

function ShownVersion({ session }: { readonly session: string }): ReactElement {
  const shown = useShownVersion(session);
  return <Conversation key={shown} session={shown} whole={session} />;
}
