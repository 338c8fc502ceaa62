import type { ReactElement } from "react";
import { classNames } from "../../ui/index.ts";

/** The method of an operation: reads are quiet, deletions stand out. */
export function Method({ name }: { readonly name: string }): ReactElement {
  return (
    <span
      className={classNames(
        "font-mono text-xs font-semibold",
        name === "GET" ? "text-good" : name === "DELETE" ? "text-bad" : "text-accent",
      )}
    >
      {name}
    </span>
  );
}
