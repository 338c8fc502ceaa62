import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { DeleteMemory, isOwnMemory, type Memory, MemoryForm, whyWords } from "../../../memory/index.ts";
import { Button, Dialog } from "../../../ui/index.ts";
import type { StoredTurn } from "../live/turn-history.ts";

type Recalled = NonNullable<StoredTurn["recalled"]>[number];

const WHY: { readonly [Kind in Recalled["kind"]]: string } = {
  always: "in every conversation",
  hit: "fits the message",
};

/** Records of a conversation that are looked through for those of one turn. */
const MOST_RECORDS = 200;

/** The memories that a turn was shown, each with why; they are changed and deleted in place. */
export function RecalledMemories({
  recalled,
  session,
  task,
}: {
  readonly recalled: readonly Recalled[];
  readonly session: string;
  readonly task: string | undefined;
}): ReactElement {
  const { operator } = useApi();
  const found = useQueries({
    queries: recalled.map(({ chunk_id: id }) => ({
      queryKey: ["knowledge", "one", id],
      queryFn: async () => (await operator.get("/api/knowledge/search", { query: { q: `#${id}` } })).results[0] ?? null,
    })),
  });
  const why = useReasons(session, task);
  return (
    <ul aria-label="Recalled memories" className="flex flex-col gap-2.5 border-l border-line py-1 pl-3">
      {recalled.map((one, at) => (
        <RecalledMemory
          key={one.chunk_id}
          recalled={one}
          memory={found[at]?.data}
          isUnread={found[at]?.error != null}
          why={why.get(one.chunk_id) ?? WHY[one.kind]}
        />
      ))}
    </ul>
  );
}

function RecalledMemory({
  recalled: { chunk_id: id, revision },
  memory,
  isUnread,
  why,
}: {
  readonly recalled: Recalled;
  /** Undefined: not read yet; null: there is none any more. */
  readonly memory: Memory | null | undefined;
  readonly isUnread: boolean;
  readonly why: string;
}): ReactElement {
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = (): void => setOpen(undefined);
  const isOwn = memory != null && isOwnMemory(memory);
  return (
    <li className="flex items-start gap-1">
      <div className="min-w-0 flex-1 break-words">
        {isUnread && <p>It cannot be read now.</p>}
        {memory === null && <p>It is deleted.</p>}
        {memory != null && (
          <p className="whitespace-pre-wrap text-ink">
            {memory.subject === "" ? memory.content : `${memory.subject}: ${memory.content}`}
          </p>
        )}
        <p>
          {memory != null && memory.revision !== revision && "Changed since · "}
          {`${why} · `}
          {memory != null && memory.source !== null && `from ${memory.source} · `}
          <Link
            to="/knowledge/memories"
            search={{ q: `#${id}` } as never}
            className="whitespace-nowrap text-accent underline"
          >
            {`Memory ${id}`}
          </Link>
        </p>
      </div>
      {isOwn && (
        <>
          <Button small kind="quiet" onClick={() => setOpen("edit")}>
            <Pencil aria-hidden className="size-4" />
            <span className="sr-only">Edit memory {id}</span>
          </Button>
          <Button small kind="quiet" onClick={() => setOpen("delete")}>
            <Trash2 aria-hidden className="size-4" />
            <span className="sr-only">Delete memory {id}</span>
          </Button>
          <Dialog open={open === "edit"} onOpenChange={close} title={`Memory ${id}`} sheet>
            <MemoryForm memory={memory} onDone={close} />
          </Dialog>
          <Dialog open={open === "delete"} onOpenChange={close} title={`Delete memory ${id}?`}>
            <DeleteMemory memory={memory} onClose={close} />
          </Dialog>
        </>
      )}
    </li>
  );
}

/** Why each memory was shown, where the record of it is still there. */
function useReasons(session: string, task: string | undefined): ReadonlyMap<number, string> {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["injections", "why", session],
    queryFn: () => operator.get("/api/memory/injections", { query: { limit: MOST_RECORDS, session_id: session } }),
  });
  const records = data?.injections.filter((one) => one.task_id === task) ?? [];
  return new Map(records.flatMap(({ items }) => items.map((item) => [item.chunk_id, whyWords(item)] as const)));
}
