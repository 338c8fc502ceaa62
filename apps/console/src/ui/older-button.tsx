import type { ReactElement } from "react";
import { Button } from "./button.tsx";

/** A list of which only the newest pages were read. */
export interface PagedList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Reads the next page of a list, below it. Renders nothing once all of it was read. */
export function OlderButton({ list }: { readonly list: PagedList }): ReactElement | null {
  if (!list.hasNextPage) return null;
  return (
    <div className="flex justify-center pb-4">
      <Button small busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Show older ones
      </Button>
    </div>
  );
}
