import type { ReactElement, ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";
import { OlderButton, type PagedList } from "./older-button.tsx";
import { SkeletonRows } from "./skeleton.tsx";

/** A list that is read page by page, newest first. */
export interface ReadList extends PagedList {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** A list, or instead of it skeletons while it is read, the error if it cannot be read, an explanation if it is empty. */
export function ListStates({
  list,
  isEmpty,
  failed,
  empty,
  skeletons,
  children,
}: {
  readonly list: ReadList;
  readonly isEmpty: boolean;
  /** Title of the error: "The activity cannot be read". */
  readonly failed: string;
  readonly empty: ReactNode;
  readonly skeletons?: number;
  /** The rows read so far. */
  readonly children: ReactNode;
}): ReactElement {
  return (
    <>
      {list.isPending && <SkeletonRows {...(skeletons !== undefined && { rows: skeletons })} />}
      {list.error !== null && isEmpty && (
        <ErrorState title={failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && isEmpty && !list.hasNextPage && empty}
      {children}
      <OlderButton list={list} />
    </>
  );
}
