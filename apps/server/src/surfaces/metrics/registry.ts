import { createSeriesTable, type Labels } from "./series-table.ts";

export interface Counter {
  /** Adds `by` (default 1); negative and non-finite amounts are ignored. */
  add(labels?: Labels, by?: number): void;
}

export interface Gauge {
  set(value: number, labels?: Labels): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** Name and meaning of a metric. `labels` are its label names. */
export interface MetricInfo {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Registry {
  counter(info: MetricInfo): Counter;
  gauge(info: MetricInfo): Gauge;
  /** `buckets`: upper bounds, increasing, without +Inf. */
  histogram(info: MetricInfo & { readonly buckets: readonly number[] }): Histogram;
  /** A value read at each scrape. */
  observed(info: MetricInfo & { readonly type: "counter" | "gauge" }, read: () => number): void;
  /** The Prometheus text exposition format, version 0.0.4. */
  render(): string;
}

/** Raised for a metric name the format does not allow, or one that is taken: a fault in the program. */
export class MetricNameError extends Error {
  readonly code = "metric-name-invalid";

  constructor(name: string) {
    super(`metric ${JSON.stringify(name)} has an invalid name or is defined twice`);
    this.name = "MetricNameError";
  }
}

interface Bucketed {
  readonly counts: number[];
  sum: number;
  count: number;
}

/**
 * An empty registry. It is our own because the usual library costs as much start-up time as the whole HTTP stack and is not
 * needed for three kinds of numbers. `maxSeries` bounds the label combinations of each metric; default 200.
 */
export function createRegistry(maxSeries = 200): Registry {
  const names = new Set<string>();
  const blocks: (() => string)[] = [];

  const add = (info: MetricInfo, type: string, lines: () => string[]): void => {
    if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(info.name) || names.has(info.name)) throw new MetricNameError(info.name);
    names.add(info.name);
    const help = info.help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
    blocks.push(() => [`# HELP ${info.name} ${help}`, `# TYPE ${info.name} ${type}`, ...lines(), ""].join("\n"));
  };
  const scalar = (info: MetricInfo, type: string) => {
    const table = createSeriesTable(info.labels ?? [], () => ({ value: 0 }), maxSeries);
    if (!info.labels?.length) table.cell({});
    add(info, type, () => [...table.entries()].map(([labels, { value }]) => line(info.name, labels, value)));
    return table;
  };

  return {
    counter(info) {
      const table = scalar(info, "counter");
      return {
        add(labels = {}, by = 1) {
          if (by > 0 && Number.isFinite(by)) table.cell(labels).value += by;
        },
      };
    },
    gauge(info) {
      const table = scalar(info, "gauge");
      return {
        set(value, labels = {}) {
          table.cell(labels).value = value;
        },
      };
    },
    histogram(info) {
      const table = createSeriesTable<Bucketed>(
        info.labels ?? [],
        () => ({ counts: info.buckets.map(() => 0), sum: 0, count: 0 }),
        maxSeries,
      );
      add(info, "histogram", () =>
        [...table.entries()].flatMap(([labels, cell]) => histogramLines(info.name, labels, info.buckets, cell)),
      );
      return {
        observe(value, labels = {}) {
          if (!Number.isFinite(value)) return;
          const cell = table.cell(labels);
          const bucket = info.buckets.findIndex((bound) => value <= bound);
          if (bucket >= 0) cell.counts[bucket]! += 1;
          cell.sum += value;
          cell.count += 1;
        },
      };
    },
    observed(info, read) {
      add(info, info.type, () => [line(info.name, "", read())]);
    },
    render: () => blocks.map((block) => block()).join(""),
  };
}

function histogramLines(name: string, labels: string, bounds: readonly number[], cell: Bucketed): string[] {
  const separator = labels === "" ? "" : ",";
  let cumulative = 0;
  const buckets = bounds.map((bound, index) => {
    cumulative += cell.counts[index] ?? 0;
    return line(`${name}_bucket`, `${labels}${separator}le="${bound}"`, cumulative);
  });
  return [
    ...buckets,
    line(`${name}_bucket`, `${labels}${separator}le="+Inf"`, cell.count),
    line(`${name}_sum`, labels, cell.sum),
    line(`${name}_count`, labels, cell.count),
  ];
}

function line(name: string, labels: string, value: number): string {
  return labels === "" ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}
