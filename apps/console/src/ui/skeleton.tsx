import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";

/** The place of something that is on its way, in the size it will have. */
export function Skeleton({ className }: { readonly className?: string }): ReactElement {
  return <span aria-hidden className={classNames("block animate-pulse rounded-sm bg-hover", className)} />;
}

/** The place of a list that is on its way. */
export function SkeletonRows({ rows = 6 }: { readonly rows?: number }): ReactElement {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-4">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex flex-col gap-1.5">
          <Skeleton className={classNames("h-4", row % 2 === 0 ? "w-3/5" : "w-2/5")} />
          <Skeleton className="h-3 w-4/5" />
        </div>
      ))}
    </div>
  );
}
