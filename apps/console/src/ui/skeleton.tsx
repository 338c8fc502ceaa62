import type { ReactElement } from "react";
import { classNames } from "./class-names.ts";

/** A placeholder for content that is loading, in its final size. */
export function Skeleton({ className }: { readonly className?: string }): ReactElement {
  return <span aria-hidden className={classNames("block animate-pulse rounded-sm bg-hover", className)} />;
}

/** A placeholder for a list that is loading. */
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
