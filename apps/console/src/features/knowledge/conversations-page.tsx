import type { ReactElement } from "react";
import { PartPage } from "../../parts/index.ts";
import { EmptyState, ListStates } from "../../ui/index.ts";
import { ConversationRow } from "./conversation-row.tsx";
import { HarvestOffer } from "./harvest-offer.tsx";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";
import { useConversations } from "./use-conversations.ts";

/** What is kept of each conversation for later ones. */
export function ConversationsPage(): ReactElement {
  const list = useConversations();
  const summaries = list.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <PartPage title="Knowledge" parts={KNOWLEDGE_PARTS}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {summaries.length > 0 && (
          <p className="pt-4 text-ink-soft">
            New conversations are shown a line of the newest, and the agent searches and reads the others.
          </p>
        )}
        {summaries.length > 0 && <HarvestOffer />}
        <ListStates
          list={list}
          isEmpty={summaries.length === 0}
          failed="The conversations cannot be read"
          empty={
            <EmptyState drawing="records" title="Nothing of a conversation yet">
              After its turns a conversation leaves a summary here. Incognito ones leave none.
            </EmptyState>
          }
        >
          <ul aria-label="Conversations" className="divide-y divide-line">
            {summaries.map((summary) => (
              <ConversationRow key={summary.session_id} summary={summary} />
            ))}
          </ul>
        </ListStates>
      </div>
    </PartPage>
  );
}
