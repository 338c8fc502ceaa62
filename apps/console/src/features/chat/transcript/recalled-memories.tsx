import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import type { StoredTurn } from "../live/turn-history.ts";

type Recalled = NonNullable<StoredTurn["recalled"]>[number];

const WHY: { readonly [Kind in Recalled["kind"]]: string } = {
  always: "in every conversation",
  hit: "fits the message",
};

/** The memories that a turn was shown, why, and where each is changed or deleted. */
export function RecalledMemories({ recalled }: { readonly recalled: readonly Recalled[] }): ReactElement {
  const { operator } = useApi();
  const found = useQueries({
    queries: recalled.map(({ chunk_id: id }) => ({
      queryKey: ["knowledge", "one", id],
      queryFn: async () => (await operator.get("/api/knowledge/search", { query: { q: `#${id}` } })).results[0] ?? null,
    })),
  });
  return (
    <ul aria-label="Recalled memories" className="flex flex-col gap-1.5 border-l border-line py-1 pl-3">
      {recalled.map(({ chunk_id: id, revision, kind }, at) => {
        const { data, error } = found[at] ?? {};
        return (
          <li key={id} className="break-words">
            {error != null && "It cannot be read now."}
            {data === null && "It is deleted."}
            {data != null && (
              <span className="text-ink">
                {data.subject === "" ? data.content : `${data.subject}: ${data.content}`}
              </span>
            )}{" "}
            {data != null && data.revision !== revision && "Changed since. "}
            {`${WHY[kind]} · `}
            <Link
              to="/knowledge/memories"
              search={{ q: `#${id}` } as never}
              className="whitespace-nowrap text-accent underline"
            >
              {`Memory ${id}`}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
