import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";

/** Query parameters of a page: the cursor of the previous page, none for the first. */
export interface PageQuery {
  readonly cursor?: string;
}

/** Options of `useInfiniteQuery` for a list that the operator API pages by `next_cursor` (O5). */
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
