import "uplot/dist/uPlot.min.css";
import { type ReactElement, useEffect, useRef } from "react";
import UPlot from "uplot";
import { clockTime, shortDay } from "../../../ui/index.ts";
import type { ChartFigures } from "./figures.ts";
import { type Colours, useColours } from "./use-colours.ts";

const HEIGHT_PX = 150;
const FONT = "12px system-ui, sans-serif";

/** The canvas of a chart. Its values are also in a table, for screen readers. Loaded with the first chart. */
export function Plot({
  figures,
  times,
  onPoint,
  onOpen,
}: {
  readonly figures: ChartFigures;
  /** Seconds since 1970, one for each bucket. */
  readonly times: readonly number[];
  /** Called with the bucket under the pointer. */
  readonly onPoint: (index: number | undefined) => void;
  /** Called with the bucket that was pressed. */
  readonly onOpen: (index: number) => void;
}): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const open = useRef(onOpen);
  open.current = onOpen;
  const colours = useColours();
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const data: UPlot.AlignedData = [[...times], ...figures.lines.map(({ values }) => [...values])];
    const width = Math.max(120, element.clientWidth);
    const bucket = (times[1] ?? 0) - (times[0] ?? 0);
    const options = optionsOf(figures, colours, bucket, onPoint);
    const plot = new UPlot({ ...options, width, height: HEIGHT_PX }, data, element);
    const pressed = (): void => {
      if (plot.cursor.idx != null) open.current(plot.cursor.idx);
    };
    plot.over.addEventListener("click", pressed);
    plot.over.classList.add("cursor-pointer");
    const resized = new ResizeObserver(() => {
      const next = Math.max(120, element.clientWidth);
      if (next !== plot.width) plot.setSize({ width: next, height: HEIGHT_PX });
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [figures, times, colours, onPoint]);
  return <div ref={box} aria-hidden className="h-[150px] w-full overflow-hidden" />;
}

function optionsOf(
  { lines, shape, write }: ChartFigures,
  colours: Colours,
  /** Seconds. */
  bucket: number,
  onPoint: (index: number | undefined) => void,
): Omit<UPlot.Options, "width" | "height"> {
  const axis = {
    stroke: colours["ink-soft"],
    font: FONT,
    grid: { stroke: colours.line, width: 1 },
    ticks: { show: false },
  };
  return {
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      // Half a bucket more at each side, so that the first and the last are whole.
      x: { range: (_plot, from, to) => [from - bucket / 2, to + bucket / 2] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 32,
        gap: 9,
        space: labelRoom,
        values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => timeLabel(tick, step)),
      },
      { ...axis, size: widthOf, space: 36, values: (_plot, ticks) => ticks.map((tick) => write(tick)) },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, before }): UPlot.Series => {
        const stroke = colours[colour];
        if (before) return { label, stroke, width: 1, dash: [4, 4], spanGaps: false, points: { show: false } };
        if (shape === "lines") {
          return { label, stroke, width: 1.5, spanGaps: false, points: { size: 5, fill: stroke, filter: lonely } };
        }
        const bars = UPlot.paths.bars?.({ size: [0.7, 24] });
        return { label, stroke, fill: stroke, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
      }),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
  };
}

/** Pixels between two labels of the time axis at least: the widest of both kinds, and a gap. */
function labelRoom({ ctx }: UPlot): number {
  ctx.save();
  ctx.font = FONT;
  const widest = [timeLabel(EVENING, 3_600), timeLabel(MIDNIGHT, 86_400)].map((label) => ctx.measureText(label).width);
  ctx.restore();
  return Math.ceil(Math.max(...widest)) + 16;
}

/** Moments whose labels are long: 22:30, and the 28th of a month. Seconds since 1970. */
const EVENING = new Date(2026, 10, 28, 22, 30).getTime() / 1_000;
const MIDNIGHT = new Date(2026, 10, 28).getTime() / 1_000;

/** Room for the longest label of an axis, in pixels. */
function widthOf({ ctx }: UPlot, labels: readonly string[] | null): number {
  ctx.save();
  ctx.font = FONT;
  const widest = Math.max(0, ...(labels ?? []).map((label) => ctx.measureText(label).width));
  ctx.restore();
  return Math.max(64, Math.ceil(widest) + 12);
}

/** Values without a neighbour: a line does not show them, so they are points. */
function lonely(plot: UPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const known = (index: number): boolean => values[index] !== null && values[index] !== undefined;
  return [...values.keys()].filter((index) => known(index) && !known(index - 1) && !known(index + 1));
}

/** A tick of the time axis. `step`: seconds between ticks. */
function timeLabel(tick: number, step: number): string {
  const time = new Date(tick * 1_000);
  // Where a day begins, its date says more than its first minute.
  const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
  return step < 86_400 && !isMidnight ? clockTime(time) : shortDay(time);
}
