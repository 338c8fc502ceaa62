import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApi } from "../../api/index.ts";
import type { Finding, Screen } from "../screen.ts";

/** Pause after the last key before a search is sent. */
const PAUSE_MS = 200;
/** Of each kind: enough to choose from, the rest is on the screen itself. */
const FOUND = 6;
const NEWEST = 4;

/** What one screen found. */
export interface Found {
  readonly label: string;
  readonly findings: readonly Finding[];
  readonly failed: boolean;
}

/**
 * What the screens find, in their order. A search is sent once typing pauses; the requests of the one before are ended.
 * `busy`: results of what was typed are still to come.
 */
export function useFindings(
  screens: readonly Screen[],
  search: string,
): { readonly found: readonly Found[]; readonly busy: boolean } {
  const api = useApi();
  const queries = useQueryClient();
  const sent = useSettled(search.trim());
  const limit = sent === "" ? NEWEST : FOUND;
  const finders = screens.flatMap(({ id, finds }) => (finds === undefined ? [] : [{ id, ...finds }]));
  const results = useQueries({
    queries: finders.map(({ id, load }) => ({
      queryKey: ["palette", id, sent],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await load())(sent, { api, queries, limit, signal }),
      staleTime: 0,
      gcTime: 0,
      retry: false,
    })),
  });
  return {
    found: finders.map(({ label }, index) => {
      const { data = [], isError = false } = results[index] ?? {};
      // What was found for the text before does not answer this one.
      return { label, findings: sent === search.trim() ? data : [], failed: isError };
    }),
    busy: sent !== search.trim() || results.some(({ isPending }) => isPending),
  };
}

/** The text once it has not changed for a moment; at once where it became blank. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === "" ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
