import { Bot, ChevronRight, Circle, Clock3, type LucideIcon, Sparkles, Wrench } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { classNames, dollars, duration } from "../ui/index.ts";
import { axisLabels } from "./axis-labels.ts";
import { figuresOf, summaryOf } from "./figures.ts";
import type { Cut, Scale } from "./scale.ts";
import type { Branch, Step } from "./step.ts";
import { StepRows } from "./step-rows.tsx";
import type { TimelineData } from "./timeline-data.ts";

export interface TimelineProps {
  readonly timeline: TimelineData;
  /** For export: the content of folded rows is in the page from the start. */
  readonly printed?: boolean;
  /** Renders a link to a task. Absent: no links. */
  readonly linkTo?: (task: string, label: ReactNode) => ReactNode;
}

const COLUMNS =
  "grid grid-cols-[minmax(8rem,1fr)_minmax(0,auto)] items-center gap-x-3 @2xl:grid-cols-[13rem_minmax(0,1fr)_12rem] @5xl:grid-cols-[16rem_minmax(0,1fr)_16rem]";
const TRACK = "relative @max-2xl:order-last @max-2xl:col-span-2";
const ICONS: Readonly<Record<Step["kind"], LucideIcon>> = {
  queue: Clock3,
  model: Sparkles,
  tool: Wrench,
  moment: Circle,
};

/**
 * The steps of a task as bars on one time axis: model calls, tool calls, and below a call what it delegated. Waits
 * for a person are hatched; gaps without work are cut, with a mark. A row opens into the lines of the
 * journal it is drawn from. It folds without scripts, so it can be exported as a page of its own.
 */
export function Timeline({ timeline: { steps, scale }, printed = false, linkTo }: TimelineProps): ReactElement {
  return (
    <div className="@container text-sm leading-[1.3]">
      <Axis scale={scale} />
      <div className="relative">
        <Lines scale={scale} />
        <Steps steps={steps} scale={scale} depth={0} printed={printed} {...(linkTo && { linkTo })} />
      </div>
    </div>
  );
}

const percent = (part: number): string => `${(part * 100).toFixed(3)}%`;

function Axis({ scale }: { readonly scale: Scale }): ReactElement {
  return (
    <div aria-hidden className={classNames(COLUMNS, "px-2 pb-1 text-xs text-ink-soft")}>
      <span className="@max-2xl:hidden" />
      <div className={classNames(TRACK, "h-4")}>
        {axisLabels(scale).map(({ text, at, before, from, ofCut }) => (
          <span
            key={`${at}`}
            className={classNames("absolute overflow-hidden whitespace-nowrap tabular-nums", ofCut && "italic")}
            // The width is 0 on an axis that is narrower than the text needs.
            style={{
              left: percent(at),
              transform: `translateX(${percent(-before)})`,
              maxWidth: `calc((100% - ${from.toFixed(1)}px) * 9999)`,
            }}
          >
            {text}
          </span>
        ))}
      </div>
      <span className="text-right @max-2xl:hidden">Cost</span>
    </div>
  );
}

function Lines({ scale }: { readonly scale: Scale }): ReactElement {
  return (
    <div aria-hidden className={classNames(COLUMNS, "pointer-events-none absolute inset-0 px-2 @max-2xl:opacity-30")}>
      <span className="@max-2xl:hidden" />
      <div className={classNames(TRACK, "h-full")}>
        {scale.ticks.map((tick) => (
          <span key={tick.at} className="absolute inset-y-0 border-l border-line" style={{ left: percent(tick.at) }} />
        ))}
        {scale.cuts.map((cut) => (
          <CutMark key={cut.begin} cut={cut} />
        ))}
      </div>
    </div>
  );
}

function CutMark({ cut }: { readonly cut: Cut }): ReactElement {
  return (
    <span
      className="absolute inset-y-0 border-x border-dashed border-line-strong"
      style={{ left: percent(cut.at), width: percent(cut.width) }}
    />
  );
}

interface StepsProps {
  readonly steps: readonly Step[];
  readonly scale: Scale;
  readonly depth: number;
  readonly printed: boolean;
  readonly linkTo?: TimelineProps["linkTo"];
}

function Steps({ steps, ...rest }: StepsProps): ReactElement {
  return (
    <ol>
      {steps.map((step) => (
        <li key={step.id} className="[contain-intrinsic-size:auto_1.75rem] [content-visibility:auto]">
          <StepRow step={step} {...rest} />
          {step.branches.map((branch) => (
            <BranchRows key={branch.id} branch={branch} {...rest} depth={rest.depth + 1} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function StepRow({ step, scale, depth, printed }: Omit<StepsProps, "steps"> & { readonly step: Step }): ReactElement {
  const [open, setOpen] = useState(false);
  const Icon = step.branches.some(({ task }) => task !== undefined) ? Bot : ICONS[step.kind];
  const summary = summaryOf(step, scale);
  return (
    <details className="group/step" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary
        title={summary}
        className={classNames(COLUMNS, "min-h-7 list-none rounded-sm px-2 py-0.5 hover:bg-hover")}
      >
        <span className="flex min-w-0 items-center gap-1.5" style={{ paddingLeft: `${depth}rem` }}>
          <Icon
            aria-hidden
            className={classNames("size-3.5 shrink-0", step.state === "failed" ? "text-bad" : "text-ink-soft")}
          />
          <span className="truncate">
            {step.kind === "model" && <span className="text-ink-soft">model </span>}
            {step.label}
          </span>
        </span>
        <Track step={step} scale={scale} />
        <span
          className={classNames(
            "flex min-w-0 justify-end gap-3 text-right text-xs tabular-nums",
            step.state === "failed" ? "text-bad" : step.state === "waiting" ? "text-waiting" : "text-ink-soft",
          )}
        >
          <span className="truncate">{figuresOf(step).join(" · ")}</span>
          <Cost usage={step.usage} usd={step.costUsd} />
        </span>
      </summary>
      {(open || printed) && <StepRows step={step} origin={scale.begin} />}
    </details>
  );
}

/** What a row cost; nothing where no model was called. */
function Cost({ usage, usd }: { readonly usage: Step["usage"]; readonly usd: number | null }): ReactElement {
  return (
    <span className="shrink-0 text-right whitespace-nowrap text-ink-soft @2xl:min-w-14">
      {usage !== null && dollars(usd)}
    </span>
  );
}

const HATCHED =
  "border border-waiting bg-[repeating-linear-gradient(135deg,var(--color-waiting)_0_1.5px,var(--color-waiting-soft)_1.5px_5px)]";

function barLook({ kind, state, branches }: Step): string {
  if (state === "failed") return "bg-bad";
  if (state === "interrupted") return "border border-dashed border-line-strong bg-hover";
  if (branches.length > 0) return "border-x-2 border-t-2 border-line-strong";
  if (kind === "queue") return "border border-line-strong bg-hover";
  return kind === "model" ? "bg-accent" : "bg-line-strong";
}

function Track({ step, scale }: { readonly step: Step; readonly scale: Scale }): ReactElement {
  const positionOf = ({ begin, end }: { begin: number; end: number }) => ({
    left: percent(scale.at(begin)),
    width: percent(scale.at(end) - scale.at(begin)),
  });
  return (
    <span aria-hidden className={classNames(TRACK, "h-3")}>
      {step.kind === "moment" ? (
        <span
          className={classNames(
            "absolute top-0.5 size-2 -translate-x-1/2 rotate-45",
            step.state === "failed" ? "bg-bad" : "bg-ink-soft",
          )}
          style={{ left: percent(scale.at(step.begin)) }}
        />
      ) : (
        <span
          className={classNames(
            "absolute inset-y-0 min-w-0.5 rounded-[2px]",
            barLook(step),
            step.state === "running" && "animate-pulse",
          )}
          style={positionOf(step)}
        />
      )}
      {step.waits.map((wait) => (
        <span
          key={wait.begin}
          className={classNames("absolute inset-y-0 min-w-1 rounded-[2px]", HATCHED)}
          style={positionOf(wait)}
        />
      ))}
    </span>
  );
}

function BranchRows({
  branch,
  depth,
  linkTo,
  ...rest
}: Omit<StepsProps, "steps"> & { readonly branch: Branch }): ReactElement {
  const { task, label, steps, more } = branch;
  const counted = `${label}, ${steps.length === 1 ? "1 step" : `${steps.length} steps`}`;
  const took = task === undefined || task.duration_ms === null ? "" : duration(task.duration_ms);
  return (
    <details open className="group/branch relative">
      <summary className={classNames(COLUMNS, "min-h-7 list-none rounded-sm px-2 text-ink-soft hover:bg-hover")}>
        <span className="flex min-w-0 items-center gap-1" style={{ paddingLeft: `${depth}rem` }}>
          <ChevronRight aria-hidden className="size-3.5 shrink-0 group-open/branch:rotate-90" />
          <span className="truncate">
            {counted}
            {more && ", and more"}
          </span>
        </span>
        {task !== undefined && (
          <span className="flex min-w-0 justify-end gap-3 text-xs tabular-nums @max-2xl:hidden @2xl:col-start-3">
            <span className="truncate">{took}</span>
            <Cost usage={task.usage} usd={task.cost_usd} />
          </span>
        )}
      </summary>
      {task !== undefined && linkTo !== undefined && (
        <p className={classNames(COLUMNS, "pointer-events-none absolute inset-x-0 top-1 px-2 text-xs")}>
          <span />
          <span className="pointer-events-auto w-fit">{linkTo(task.task_id, "Open its run")}</span>
        </p>
      )}
      <Steps steps={steps} depth={depth} {...(linkTo && { linkTo })} {...rest} />
    </details>
  );
}

/** Explains the marks of the axis, for a line below a timeline. */
export function CutNote({ scale }: { readonly scale: Scale }): ReactElement | null {
  if (scale.cuts.length === 0) return null;
  const cut = scale.cuts.reduce((sum, { begin, end }) => sum + end - begin, 0);
  return (
    <p className="px-2 pt-2 text-xs text-ink-soft">
      Between dashed lines time is cut: {duration(cut)} in which nothing was done but wait.
    </p>
  );
}
