import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, type ReactNode, useRef } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { Button, classNames, InlineError, SkeletonRows } from "../../../ui/index.ts";
import { sidesOf } from "../held/definition-difference.ts";
import { VisibleWords } from "../held/visible-words.tsx";
import type { McpReplay } from "../server/mcp-types.ts";
import { ResultImages } from "../tool/result-images.tsx";
import { OUTCOMES } from "./call-outcomes.ts";

/** Makes a recorded call once more, and shows what it answered then and now side by side. */
export function ReplayCall({ server, call }: { readonly server: string; readonly call: string }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const key = useRef<string>(undefined);
  const recorded = useQuery({
    queryKey: ["mcp", "call", call],
    queryFn: () => operator.get("/api/mcp/calls/{call}", { params: { call } }),
  });
  const replay = useMutation({
    mutationFn: (confirm: boolean) => {
      // Asked again for a call that still runs or waits, it is the same call.
      key.current ??= requestKey();
      const request = { params: { call }, body: { confirm }, idempotencyKey: key.current };
      return operator.post("/api/mcp/calls/{call}/replay", request);
    },
    onSuccess({ same }) {
      if (same !== null) key.current = undefined;
      return queries.invalidateQueries({ queryKey: ["mcp", "calls", server] });
    },
  });
  if (recorded.error !== null) return <InlineError error={recorded.error} />;
  if (recorded.data === undefined) return <SkeletonRows />;
  const { args, confirm, refusal } = recorded.data;
  const isOpen = replay.data?.same === null;
  return (
    <div className="flex flex-col gap-4">
      <section aria-label="Arguments">
        <p className="text-sm text-ink-soft">Arguments, as they were sent:</p>
        <pre className="rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap">{args === "" ? "Removed" : args}</pre>
      </section>
      {refusal === null ? (
        <p className="text-sm text-ink-soft">
          {confirm
            ? "This tool may have effects: they happen once more."
            : "This tool only reads: repeating it changes nothing."}{" "}
          No model is asked, and approvals hold as always.
        </p>
      ) : (
        <p className="text-sm text-bad">{refusal}</p>
      )}
      {replay.error !== null && <InlineError error={replay.error} />}
      {refusal === null && (
        <div>
          <Button kind="primary" busy={replay.isPending} onClick={() => replay.mutate(confirm)}>
            {isOpen ? "Look again" : "Make the call once more"}
          </Button>
        </div>
      )}
      {replay.data !== undefined && <BothResults replay={replay.data} />}
    </div>
  );
}

function BothResults({ replay: { before, after, same } }: { readonly replay: McpReplay }): ReactElement {
  const sides = sidesOf({ before: before.result ?? "", after: after.result ?? "" });
  return (
    <section aria-label="Both results" role="status" className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 text-sm font-medium">
        {same === true && <span className="text-good">The same result</span>}
        {same === false && <span className="text-bad">Another result</span>}
        {after.input_required !== undefined && (
          <Link to="/approvals" className="text-waiting underline">
            It waits for you: open the approvals
          </Link>
        )}
        {same === null && after.input_required === undefined && <span className="text-accent">It still runs</span>}
        <Link to="/tasks/$task" params={{ task: after.task_id }} className="text-accent underline">
          Open run
        </Link>
      </p>
      <div className="grid grid-cols-2 gap-3 max-list:grid-cols-1">
        <Result title="Then" outcome={before.outcome}>
          <VisibleWords parts={sides.before} kind="before" />
        </Result>
        <Result title="Now" outcome={after.outcome ?? "open"}>
          <VisibleWords parts={same === null ? [] : sides.after} kind="after" />
          {same !== null && <ResultImages session={after.session_id} task={after.task_id} />}
        </Result>
      </div>
    </section>
  );
}

function Result({
  title,
  outcome,
  children,
}: {
  readonly title: string;
  readonly outcome: keyof typeof OUTCOMES;
  readonly children: ReactNode;
}): ReactElement {
  const [word, colour] = OUTCOMES[outcome];
  return (
    <section aria-label={title} className="min-w-0 rounded-md border border-line bg-sunken px-3 py-2">
      <p className="text-xs text-ink-soft">
        {title}: <span className={classNames("font-medium", colour)}>{word}</span>
      </p>
      {children}
    </section>
  );
}
