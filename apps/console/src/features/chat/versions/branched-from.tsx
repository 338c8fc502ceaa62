import { Link } from "@tanstack/react-router";
import { GitFork } from "lucide-react";
import type { ReactElement } from "react";

/** Where a conversation was forked off another: a line behind the last turn it took along. */
export function BranchedFrom({
  session_id: session,
  title,
}: {
  readonly session_id: string;
  readonly title: string | null;
}): ReactElement {
  return (
    <p className="mt-8 flex items-center gap-2 border-t border-line pt-2 text-sm text-ink-soft">
      <GitFork aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 truncate">
        Branched from{" "}
        {title === null ? (
          "a chat that was deleted"
        ) : (
          <Link to="/chat/$session" params={{ session }} className="text-accent underline">
            {title === "" ? "Untitled" : title}
          </Link>
        )}
      </span>
    </p>
  );
}
