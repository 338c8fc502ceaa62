import { OperatorApiError } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { useApi, useRuntimeStatus } from "../../../api/index.ts";
import { Timeline, timelineOf } from "../../../timeline/index.ts";
import {
  Button,
  buttonClass,
  classNames,
  count,
  Dialog,
  dollars,
  duration,
  InlineError,
  SkeletonRows,
} from "../../../ui/index.ts";
import { readJournal } from "./read-journal.ts";

const TABS = ["Timeline", "Prompt", "Cost"] as const;
type Tab = (typeof TABS)[number];

/** The details of a turn: its timeline, the prompts of its model calls, its cost. A sheet on narrow screens. */
export function Inspector({
  taskId,
  onClose,
}: {
  readonly taskId: string;
  readonly onClose: () => void;
}): ReactElement {
  const wide = useWide();
  if (!wide) {
    return (
      <Dialog sheet open onOpenChange={onClose} title="How it got there">
        <Why taskId={taskId} />
      </Dialog>
    );
  }
  return (
    <aside aria-label="How it got there" className="flex w-96 shrink-0 flex-col border-l border-line">
      <div className="flex min-h-12 items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 className="font-display text-lg font-semibold">How it got there</h2>
        <Button kind="quiet" icon small aria-label="Close" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <Why taskId={taskId} />
      </div>
    </aside>
  );
}

function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia("(min-width: 68.75rem)");
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia("(min-width: 68.75rem)").matches,
  );
}

function Why({ taskId }: { readonly taskId: string }): ReactElement {
  const [tab, setTab] = useState<Tab>("Timeline");
  const tasks = useRuntimeStatus()?.features.a2a?.available === true;
  return (
    <div className="flex flex-col gap-3">
      <div role="tablist" aria-label="How it got there" className="flex gap-1">
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`why-${name}`}
            aria-selected={tab === name}
            aria-controls="why-panel"
            onClick={() => setTab(name)}
            className={classNames(
              buttonClass({ kind: "quiet", small: true }),
              tab === name && "bg-accent-soft text-accent",
            )}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="why-panel" aria-labelledby={`why-${tab}`} className="flex flex-col gap-3">
        {tab === "Prompt" ? <Prompts taskId={taskId} /> : <Journal taskId={taskId} cost={tab === "Cost"} />}
      </div>
      {tasks && (
        <Link to={`/tasks/${taskId}`} className="text-sm text-accent underline">
          Open the run with everything it delegated
        </Link>
      )}
    </div>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof OperatorApiError && error.status === 404;
}

function Journal({ taskId, cost }: { readonly taskId: string; readonly cost: boolean }): ReactElement {
  const { operator } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["tasks", taskId, "why"],
    queryFn: ({ signal }) => readJournal(operator, taskId, signal),
  });
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => setNow(Date.now()), [data]);
  if (isMissing(error)) {
    return (
      <p className="text-sm text-ink-soft">
        The journal of this turn was deleted because of its age, and with it what happened and what it cost.
      </p>
    );
  }
  if (error !== null) return <InlineError error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonRows rows={4} />;
  if (!cost) return <Timeline timeline={timelineOf(data, now)} />;
  const { usage, cost_usd, duration_ms, model_calls, tool_calls } = data.task;
  return (
    <Figures
      rows={[
        ["Took", duration(duration_ms)],
        ["Model calls", count(model_calls)],
        ["Tool calls", count(tool_calls)],
        ["Tokens in", count(usage.input_tokens)],
        ["of them from the cache", count(usage.cache_read_tokens)],
        ["Tokens out", count(usage.output_tokens)],
        ["Cost, estimated", dollars(cost_usd)],
      ]}
    />
  );
}

function Figures({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }): ReactElement {
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm tabular-nums">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Explains why no call is stored, with the current retention. */
function NoCalls(): ReactElement {
  const { operator } = useApi();
  const { data } = useQuery({ queryKey: ["prompts", "last"], queryFn: () => operator.get("/api/prompts/last") });
  const { retention_days: days = 0, max_calls: most = 0 } = data?.retention ?? {};
  const bounds = [days > 0 && `${count(days)} days`, most > 0 && `the newest ${count(most)} calls`].filter(Boolean);
  return (
    <p className="text-sm text-ink-soft">
      No model call of this turn is stored: it was incognito, called no model, or is older than what is stored
      {bounds.length > 0 && ` (${bounds.join(", ")})`}. The timeline and the cost are stored separately.
    </p>
  );
}

function Prompts({ taskId }: { readonly taskId: string }): ReactElement {
  const { operator } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["prompts", taskId],
    queryFn: () =>
      operator
        .get("/api/prompts/{task_id}", { params: { task_id: taskId } })
        .catch((reason: unknown) => (isMissing(reason) ? { enabled: true } : Promise.reject(reason))),
  });
  if (error !== null) return <InlineError error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonRows rows={4} />;
  if (!data.enabled)
    return <p className="text-sm text-ink-soft">Prompts are not captured. Turn it on in Settings, Prompts.</p>;
  const calls = "calls" in data ? (data.calls ?? []) : [];
  if (calls.length === 0) return <NoCalls />;
  return (
    <ol className="flex flex-col gap-3">
      {calls.map(({ call_index, model, system, sections, usage }) => (
        <li key={call_index} className="flex flex-col gap-1.5">
          <h3 className="text-sm font-semibold">
            Call {call_index}, {model}
          </h3>
          <Figures
            rows={[
              ...sections.map(({ label, approx_tokens }) => [label, `≈ ${count(approx_tokens)} tokens`] as const),
              ["Tokens in", count(usage?.input_tokens)] as const,
            ]}
          />
          <details>
            <summary className="text-sm text-ink-soft">What the model was sent</summary>
            <pre className="mt-1.5 max-h-96 overflow-auto rounded-md bg-sunken px-2.5 py-1.5 text-xs whitespace-pre-wrap">
              {[system.stable, system.context].filter((text) => text !== "").join("\n\n")}
            </pre>
          </details>
        </li>
      ))}
    </ol>
  );
}
