import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

/** What a page asks for: nothing at the beginning of the list, then where the page before it ended. */
export interface PageQuery {
  readonly cursor?: string;
}

/** For `useInfiniteQuery`: a list that the operator API tells page by page (`next_cursor`, O5). */
export function pagedQuery<TPage extends { readonly next_cursor: string | null }>(
  queryKey: QueryKey,
  read: (page: PageQuery, signal: AbortSignal) => Promise<TPage>,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: {} as PageQuery,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: ({ next_cursor: cursor }): PageQuery | undefined => (cursor === null ? undefined : { cursor }),
  });
}
