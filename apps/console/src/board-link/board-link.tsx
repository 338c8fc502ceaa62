import { lazy, type ReactElement, Suspense } from "react";

const Link = lazy(async () => ({ default: (await import("./read-board-link.tsx")).ReadBoardLink }));

/** The board's task that a conversation was begun for; nothing where there is none. */
export function BoardLink(of: { readonly session: string }): ReactElement {
  return (
    <Suspense>
      <Link {...of} />
    </Suspense>
  );
}
