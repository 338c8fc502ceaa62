import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { useApi } from "../../../api/index.ts";

/** An occurrence of the text: its turn, and which one it is there, counted from the turn's end. */
export interface Match {
  readonly task: string;
  readonly fromEnd: number;
}

/** Where a text occurs in a conversation, the last occurrence first; undefined while that is not known. */
export interface Matches {
  readonly total: number | undefined;
  readonly at: (index: number) => Match | undefined;
  readonly error: Error | null;
}

/** Looks for a text in the whole conversation, in turns too that this page has not read. Blank: for nothing. */
export function useMatches(session: string, text: string): Matches {
  const { operator } = useApi();
  const wanted = useDeferredValue(text.trim());
  const { data, error } = useQuery({
    queryKey: ["sessions", session, "find", wanted],
    enabled: wanted !== "",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found: { readonly task_id: string; readonly count: number }[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await operator.get("/api/chat/sessions/{id}/find", {
          params: { id: session },
          query: { text: wanted, cursor: cursor ?? undefined },
          signal,
        });
        found.push(...page.matches);
        cursor = page.next_cursor;
      } while (cursor !== null);
      return found;
    },
  });
  const turns = wanted === "" ? undefined : data;
  return {
    total: turns?.reduce((all, { count }) => all + count, 0),
    at(index) {
      let before = 0;
      for (const { task_id: task, count } of turns ?? []) {
        if (index < before + count) return { task, fromEnd: index - before };
        before += count;
      }
      return undefined;
    },
    error,
  };
}
