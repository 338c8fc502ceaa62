import { useQuery } from "@tanstack/react-query";
import { Brain, ChevronRight, CircleCheck, CircleDot, CircleX } from "lucide-react";
import { type ReactElement, type ReactNode, useId, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { CopyButton } from "../../../markdown/index.ts";
import { classNames, duration, ScrollRegion, Skeleton } from "../../../ui/index.ts";
import { readJournal } from "../inspector/read-journal.ts";
import type { Step, ThoughtStep, ToolStep } from "../live/live-turn.ts";
import { type CallTexts, callsIn } from "./calls-in.ts";

/** The steps of a turn, each one row until it is opened. */
export function StepList({
  steps,
  taskId,
  live,
}: {
  readonly steps: readonly Step[];
  readonly taskId: string | undefined;
  /** The steps come from the stream, so they have the ids of their calls. */
  readonly live: boolean;
}): ReactElement | null {
  if (steps.length === 0) return null;
  const calls = steps.filter((step) => step.kind === "tool");
  return (
    <ul aria-label="Steps" className="flex flex-col">
      {steps.map((step) => (
        <li key={step.id} className={step.kind === "tool" && step.parent !== undefined ? "pl-5" : undefined}>
          {step.kind === "thought" ? (
            <ThoughtRow step={step} />
          ) : (
            <ToolRow step={step} taskId={taskId} position={calls.indexOf(step)} named={live} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Row({
  icon,
  line,
  side,
  children,
}: {
  readonly icon: ReactNode;
  readonly line: ReactNode;
  readonly side: ReactNode;
  readonly children: () => ReactNode;
}): ReactElement {
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? body : undefined}
        onClick={() => setOpen(!open)}
        className="-mx-1.5 flex min-h-7 w-full items-center gap-2 rounded-md px-1.5 text-left text-sm text-ink-soft hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={classNames("size-3.5 shrink-0 transition-transform", open && "rotate-90")}
        />
        {icon}
        <span className="min-w-0 flex-1 truncate">{line}</span>
        <span className="shrink-0 tabular-nums">{side}</span>
      </button>
      {open && (
        <div id={body} className="mt-1 mb-2 ml-1.5 border-l border-line pl-3.5">
          {children()}
        </div>
      )}
    </>
  );
}

function ThoughtRow({ step }: { readonly step: ThoughtStep }): ReactElement {
  const { startedAt, endedAt, text, truncated = false } = step;
  // Stored with others at once, its time is unknown.
  const took = endedAt === undefined || endedAt === startedAt ? "" : duration(endedAt - startedAt);
  return (
    <Row
      icon={<Brain aria-hidden className={classNames("size-4 shrink-0", endedAt === undefined && "animate-pulse")} />}
      line={endedAt === undefined ? "Thinking" : "Thought"}
      side={took}
    >
      {() => (
        <>
          <p className="max-w-[76ch] text-sm whitespace-pre-wrap text-ink-soft">{text}</p>
          {truncated && <p className="text-xs text-ink-soft">Shortened: the reasoning is longer.</p>}
        </>
      )}
    </Row>
  );
}

const OUTCOMES = {
  running: { icon: CircleDot, label: "runs", colour: "text-accent" },
  ok: { icon: CircleCheck, label: "done", colour: "text-good" },
  failed: { icon: CircleX, label: "failed", colour: "text-bad" },
} as const;

function ToolRow({
  step,
  taskId,
  position,
  named,
}: {
  readonly step: ToolStep;
  readonly taskId: string | undefined;
  readonly position: number;
  readonly named: boolean;
}): ReactElement {
  const { icon: Icon, label, colour } = OUTCOMES[step.outcome];
  return (
    <Row
      icon={<Icon aria-hidden className={classNames("size-4 shrink-0", colour)} />}
      line={
        <>
          <code className="font-medium text-ink">{step.name}</code>
          <span className="sr-only"> {label}</span>
          {step.args !== undefined && step.args !== "{}" && <span className="ml-2">{step.args}</span>}
        </>
      }
      side={step.outcome === "running" ? "…" : duration(step.ms)}
    >
      {() => (
        <ToolTexts step={step} taskId={taskId} find={named && step.startedAt !== undefined ? step.id : position} />
      )}
    </Row>
  );
}

function ToolTexts({
  step,
  taskId,
  find,
}: {
  readonly step: ToolStep;
  readonly taskId: string | undefined;
  readonly find: string | number;
}): ReactElement {
  const { operator } = useApi();
  const { data, isPending, error } = useQuery({
    queryKey: ["calls", taskId, step.outcome],
    enabled: taskId !== undefined && step.outcome !== "running",
    queryFn: async ({ signal }) => callsIn((await readJournal(operator, taskId ?? "", signal)).events),
  });
  const stored = typeof find === "string" ? data?.find(({ id }) => id === find) : data?.[find];
  const received: CallTexts = { id: step.id, args: step.args ?? "", result: step.result, truncated: false };
  const call = stored ?? received;
  if (stored === undefined && step.outcome !== "running" && isPending) return <Skeleton className="h-16 w-full" />;
  return (
    <div className="flex flex-col gap-2">
      <TextBox label="Arguments" text={call.args} />
      {call.result !== undefined && <TextBox label={step.outcome === "ok" ? "Result" : "Error"} text={call.result} />}
      {call.truncated && <p className="text-xs text-ink-soft">Shortened: the tool's output is longer.</p>}
      {error !== null && stored === undefined && (
        <p className="text-xs text-ink-soft">The whole call could not be read; this is the part that was received.</p>
      )}
    </div>
  );
}

function TextBox({ label, text }: { readonly label: string; readonly text: string }): ReactElement {
  const shown = prettyJson(text);
  return (
    <div>
      <p className="flex items-center justify-between text-xs text-ink-soft">
        {label}
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </p>
      <ScrollRegion label={label} className="max-h-80 overflow-auto rounded-md bg-sunken px-2.5 py-1.5">
        <pre className="text-sm whitespace-pre-wrap">{shown === "" ? "–" : shown}</pre>
      </ScrollRegion>
    </div>
  );
}

function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? JSON.stringify(value, undefined, 2) : text;
  } catch {
    return text;
  }
}
