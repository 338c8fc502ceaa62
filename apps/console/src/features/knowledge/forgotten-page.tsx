import type { ReactElement } from "react";
import { PartPage } from "../../parts/index.ts";
import { EmptyState, ListStates, RelativeTime } from "../../ui/index.ts";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";
import { receiptFacts, receiptTitle } from "./receipt-words.ts";
import { RemovedMemories } from "./removed-memories.tsx";
import { useReceipts } from "./use-conversations.ts";

/** What was forgotten for good, and when; not a word of it. */
export function ForgottenPage(): ReactElement {
  const list = useReceipts();
  const receipts = list.data?.pages.flatMap((page) => page.receipts) ?? [];
  return (
    <PartPage title="Knowledge" parts={KNOWLEDGE_PARTS}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        <RemovedMemories />
        <ListStates
          list={list}
          isEmpty={receipts.length === 0}
          failed="What was forgotten cannot be read"
          empty={
            <EmptyState drawing="calm" title="Nothing was forgotten">
              What you delete for good leaves a receipt here: how much it was and when, and no word of it.
            </EmptyState>
          }
        >
          <ul aria-label="Receipts" className="divide-y divide-line">
            {receipts.map((receipt) => (
              <li key={receipt.id} className="flex flex-col gap-1 py-3.5">
                <h2 className="font-medium">{receiptTitle(receipt)}</h2>
                <p className="text-sm text-ink-soft">
                  {`#${receipt.id} · `}
                  {receiptFacts(receipt)}
                  {" · "}
                  <RelativeTime at={receipt.at} />
                </p>
              </li>
            ))}
          </ul>
        </ListStates>
      </div>
    </PartPage>
  );
}
