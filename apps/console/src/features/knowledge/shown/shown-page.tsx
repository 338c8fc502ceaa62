import type { ReactElement } from "react";
import { PartPage, useSearchValue } from "../../../parts/index.ts";
import { Button, EmptyState, ListStates } from "../../../ui/index.ts";
import { KNOWLEDGE_PARTS } from "../knowledge-parts.ts";
import { ShownRow } from "./shown-row.tsx";
import { TryMessage } from "./try-message.tsx";
import { useInjections } from "./use-injections.ts";

/** What was put before the model, call by call: what was shown and why, and what was left out; and what a message would be shown. */
export function ShownPage(): ReactElement {
  const [session, setSession] = useSearchValue("session");
  const list = useInjections(session);
  const injections = list.data?.pages.flatMap((page) => page.injections) ?? [];
  return (
    <PartPage title="Knowledge" parts={KNOWLEDGE_PARTS}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        <TryMessage />
        {session !== undefined && (
          <p className="flex flex-wrap items-center gap-2 pt-4 text-ink-soft">
            <span className="min-w-0 break-words">Only of the conversation {session}.</span>
            <Button small onClick={() => setSession(undefined)}>
              Show all
            </Button>
          </p>
        )}
        <ListStates
          list={list}
          isEmpty={injections.length === 0}
          failed="What was shown cannot be read"
          empty={
            <EmptyState drawing="records" title="No turn was shown a memory">
              Before its first model call a turn is shown what fits its message. Each is listed here, with what was
              found and left out.
            </EmptyState>
          }
        >
          <ul aria-label="Model calls" className="divide-y divide-line">
            {injections.map((injection) => (
              <ShownRow key={injection.id} injection={injection} />
            ))}
          </ul>
        </ListStates>
      </div>
    </PartPage>
  );
}
