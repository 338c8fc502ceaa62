import { lazy, type ReactElement, Suspense } from "react";

const Read = lazy(async () => ({ default: (await import("./read-under-way.tsx")).ReadUnderWay }));

/** What is under way in a session; nothing where nothing is. Loaded beside the turns, which are shown first. */
export function UnderWay(of: { readonly session: string }): ReactElement {
  return (
    <Suspense>
      <Read {...of} />
    </Suspense>
  );
}
