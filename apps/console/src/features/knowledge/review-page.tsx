import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactElement, useRef } from "react";
import { useApi } from "../../api/index.ts";
import { useMemoryChange } from "../../memory/index.ts";
import { useNotices } from "../../notices/index.ts";
import { PartPage } from "../../parts/index.ts";
import { Button, EmptyState, failureOf, ListStates } from "../../ui/index.ts";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";
import { MemoryText } from "./memory-row.tsx";
import type { Memory } from "./memory-types.ts";
import { waitingWords } from "./memory-words.ts";
import { useWaitingMemories } from "./use-memories.ts";

/** Memories that wait for a person: accepted or rejected, with the mouse or by key. */
export function ReviewPage(): ReactElement {
  const list = useWaitingMemories();
  const rows = useRef<HTMLUListElement>(null);
  const memories = list.data?.pages.flatMap((page) => page.results) ?? [];
  const focusNext = (at: number): void => {
    const others = [...(rows.current?.children ?? [])].filter((_, index) => index !== at);
    others[Math.min(at, others.length - 1)]?.querySelector("button")?.focus();
  };
  return (
    <PartPage title="Knowledge" parts={KNOWLEDGE_PARTS}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {memories.length > 0 && (
          <p className="pt-4 text-ink-soft">
            The agent wanted to remember these after it had read something from outside, or against what you said. No
            conversation is shown them before you accept them; what you reject is not remembered again.
            <span className="max-list:hidden">
              {" "}
              On its buttons, <kbd className="font-mono">a</kbd> accepts and <kbd className="font-mono">r</kbd> rejects.
            </span>
          </p>
        )}
        <ListStates
          list={list}
          isEmpty={memories.length === 0}
          failed="What waits cannot be read"
          empty={
            <EmptyState drawing="calm" title="Nothing waits for you">
              What the agent wants to remember after it read something from outside appears here, before any
              conversation is shown it.
            </EmptyState>
          }
        >
          <ul ref={rows} aria-label="Memories that wait" className="divide-y divide-line">
            {memories.map((memory, at) => (
              <WaitingMemory key={memory.id} memory={memory} onDecided={() => focusNext(at)} />
            ))}
          </ul>
        </ListStates>
      </div>
    </PartPage>
  );
}

/** Why it waits, with what to compare it with. */
function Why({ memory, reason }: { readonly memory: Memory; readonly reason: string }): ReactElement {
  const { contradicts } = memory;
  return (
    <p className="text-sm text-ink-soft">
      {waitingWords(reason, contradicts)}{" "}
      {contradicts !== null && (
        <Link
          to="/knowledge/memories"
          search={{ q: `#${contradicts}` } as never}
          className="whitespace-nowrap text-accent underline"
        >
          Read that one<span className="sr-only"> beside memory {memory.id}</span>
        </Link>
      )}
      {contradicts === null && memory.session_id !== null && (
        <Link
          to="/chat/$session"
          params={{ session: memory.session_id }}
          className="whitespace-nowrap text-accent underline"
        >
          The chat<span className="sr-only"> of memory {memory.id}</span>
        </Link>
      )}
    </p>
  );
}

function WaitingMemory({
  memory,
  onDecided,
}: {
  readonly memory: Memory;
  readonly onDecided: () => void;
}): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const decide = useMemoryChange((decision: "accept" | "reject") =>
    operator.post("/api/knowledge/chunks/{chunk_id}/review", {
      params: { chunk_id: String(memory.id) },
      body: { decision },
    }),
  );
  const run = (decision: "accept" | "reject"): void => {
    if (decide.isPending) return;
    onDecided();
    // The list is read again, without this row, before the change has ended: callbacks of the mutation may not be called then.
    void decide.mutateAsync(decision).then(
      () => notify({ text: decision === "accept" ? "It is stored as yours." : "It is rejected.", tone: "plain" }),
      (error: unknown) => notify({ text: failureOf(error).message, tone: "bad" }),
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "a") run("accept");
    if (event.key === "r") run("reject");
  };
  return (
    <li className="flex flex-wrap items-start gap-3 py-3.5">
      <div className="flex min-w-48 flex-1 flex-col gap-1">
        <MemoryText memory={memory} />
        {memory.review_reason !== null && <Why memory={memory} reason={memory.review_reason} />}
      </div>
      <div className="flex gap-2">
        <Button small kind="primary" busy={decide.isPending} onKeyDown={onKeyDown} onClick={() => run("accept")}>
          Accept<span className="sr-only"> memory {memory.id}</span>
        </Button>
        <Button small disabled={decide.isPending} onKeyDown={onKeyDown} onClick={() => run("reject")}>
          Reject<span className="sr-only"> memory {memory.id}</span>
        </Button>
      </div>
    </li>
  );
}
