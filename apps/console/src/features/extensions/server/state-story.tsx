import { CirclePause, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { clockSeconds } from "../../../ui/index.ts";
import type { McpServer } from "./mcp-types.ts";
import { adviceFor, sentence } from "./server-state.ts";

/** What a server waits for, when it is tried next, what a person can do about it, and what to know of it. */
export function StateStory({ server }: { readonly server: McpServer }): ReactElement {
  const { detail, next_attempt_at: next, held_count: held, warnings, state } = server;
  const advice = adviceFor(server);
  return (
    <div className="flex flex-col gap-1 text-sm empty:hidden">
      {(detail !== null || advice !== undefined || next !== undefined) && (
        <p className={state === "failing" ? "text-bad" : "text-ink-soft"}>
          {detail !== null && `${sentence(detail)} `}
          {advice !== undefined && `${advice} `}
          {next !== undefined && (
            <>
              It is tried again at <time dateTime={next}>{clockSeconds(next)}</time>.
            </>
          )}
        </p>
      )}
      {held > 0 && (
        <p className="flex items-start gap-1.5 text-waiting">
          <CirclePause aria-hidden className="mt-0.5 size-4 shrink-0" />
          {held === 1 ? "1 changed definition waits for you." : `${held} changed definitions wait for you.`}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-1.5 text-ink-soft">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {sentence(warning)}
        </p>
      ))}
    </div>
  );
}
