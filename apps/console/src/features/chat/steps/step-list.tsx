import { Brain, ChevronRight, CircleCheck, CircleDot, CircleX, ListTree } from "lucide-react";
import { lazy, type ReactElement, type ReactNode, Suspense, useId, useState } from "react";
import { classNames, duration, Elapsed, Skeleton } from "../../../ui/index.ts";
import type { Step } from "../live/live-turn.ts";
import { underParents } from "../live/under-parents.ts";
import { CallProgress } from "./call-progress.tsx";

// Loaded when the first step is unfolded.
const StepTexts = lazy(() => import("./step-texts.tsx"));
// Loaded when the first command runs.
const CommandOutput = lazy(() => import("./command-output.tsx"));

interface StepListProps {
  readonly steps: readonly Step[];
  readonly taskId: string | undefined;
  /** The turn has ended. */
  readonly over: boolean;
}

/**
 * The steps of a turn: one line that says what the agent does now, or what it did, which unfolds into a row for each step.
 */
export function StepList({ steps, taskId, over }: StepListProps): ReactElement | null {
  const [first, ...others] = steps;
  if (first === undefined) return null;
  if (others.length === 0) return <StepRow step={first} taskId={taskId} over={over} />;
  const last = steps.findLast(isRunning);
  return (
    <Row {...summaryOf(steps, over)} folded={last && !over && outputOf(last, taskId)}>
      {() => (
        <ul aria-label="Steps" className="flex flex-col">
          {underParents(steps).map((step) => (
            <li key={step.id} className={step.kind === "tool" && step.parent !== undefined ? "pl-5" : undefined}>
              <StepRow step={step} taskId={taskId} over={over} />
            </li>
          ))}
        </ul>
      )}
    </Row>
  );
}

/** The folded line: the step that runs with its clock, else how many steps there were and how many failed. */
function summaryOf(steps: readonly Step[], over: boolean): Omit<RowProps, "children"> {
  const running = over ? undefined : steps.findLast(isRunning);
  if (running !== undefined) {
    return { icon: <StepIcon step={running} />, line: lineOf(running), side: <StepClock step={running} /> };
  }
  const failed = steps.filter((step) => step.kind === "tool" && step.outcome === "failed").length;
  return {
    icon: <ListTree aria-hidden className="size-4 shrink-0" />,
    line: `${steps.length} steps${failed === 0 ? "" : `, ${failed} failed`}`,
    side: "",
  };
}

function isRunning(step: Step): boolean {
  return step.kind === "thought" ? step.endedAt === undefined : step.outcome === "running";
}

function lineOf(step: Step): ReactNode {
  if (step.kind === "thought") return step.endedAt === undefined ? "Thinking" : "Thought";
  const label = <span className="sr-only"> {OUTCOMES[step.outcome].label}</span>;
  if (step.title !== undefined) {
    return (
      <>
        {step.title}
        {label}
      </>
    );
  }
  return (
    <>
      <code className="font-medium text-ink">{step.name}</code>
      {label}
      {step.args !== undefined && step.args !== "{}" && <span className="ml-2">{step.args}</span>}
    </>
  );
}

function StepIcon({ step }: { readonly step: Step }): ReactElement {
  if (step.kind === "thought") {
    return <Brain aria-hidden className={classNames("size-4 shrink-0", isRunning(step) && "animate-pulse")} />;
  }
  const { icon: Icon, colour } = OUTCOMES[step.outcome];
  return <Icon aria-hidden className={classNames("size-4 shrink-0", colour, isRunning(step) && "animate-pulse")} />;
}

/** How long a step took, or takes so far. */
function StepClock({ step }: { readonly step: Step }): ReactElement | null {
  if (isRunning(step)) return step.startedAt === undefined ? null : <Elapsed since={step.startedAt} />;
  if (step.kind === "tool") return <span>{duration(step.ms)}</span>;
  // Stored with others at once, its time is unknown.
  const { startedAt, endedAt = startedAt } = step;
  return endedAt === startedAt ? null : <span>{duration(endedAt - startedAt)}</span>;
}

/** How long it took, and whether an approval was skipped. */
function StepSide({ step }: { readonly step: Step }): ReactElement {
  return (
    <>
      {step.kind === "tool" && step.skipped !== undefined && <span className="mr-2">not asked</span>}
      <StepClock step={step} />
    </>
  );
}

function StepRow({
  step,
  taskId,
  over,
}: { readonly step: Step } & Pick<StepListProps, "taskId" | "over">): ReactElement {
  return (
    <>
      <Row icon={<StepIcon step={step} />} line={lineOf(step)} side={<StepSide step={step} />}>
        {() => (
          <Suspense fallback={<Skeleton className="h-16 w-full" />}>
            <StepTexts step={step} taskId={taskId} />
          </Suspense>
        )}
      </Row>
      {!over && outputOf(step, taskId)}
    </>
  );
}

/** What a command writes, or another call says of its progress, while it runs. */
function outputOf(step: Step, taskId: string | undefined): ReactNode {
  if (step.kind !== "tool" || !isRunning(step) || taskId === undefined) return undefined;
  if (step.name !== "run_command") return <CallProgress taskId={taskId} callId={step.id} />;
  return (
    <Suspense>
      <CommandOutput taskId={taskId} callId={step.id} />
    </Suspense>
  );
}

interface RowProps {
  readonly icon: ReactNode;
  readonly line: ReactNode;
  readonly side: ReactNode;
  /** Shown below the line while it is folded. */
  readonly folded?: ReactNode;
  readonly children: () => ReactNode;
}

function Row({ icon, line, side, folded, children }: RowProps): ReactElement {
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
      {open ? (
        <div id={body} className="mt-1 mb-2 ml-1.5 border-l border-line pl-3.5">
          {children()}
        </div>
      ) : (
        folded
      )}
    </>
  );
}

const OUTCOMES = {
  running: { icon: CircleDot, label: "runs", colour: "text-accent" },
  ok: { icon: CircleCheck, label: "done", colour: "text-good" },
  failed: { icon: CircleX, label: "failed", colour: "text-bad" },
} as const;
