import type { ModelPrice, TelemetryReports } from "@agent-service/agent-core/host";
import type { TelemetryService } from "@agent-service/operator-api";

/** The part of the engine's telemetry that is read. */
interface OpenedTelemetry {
  readonly enabled: boolean;
  readonly reports: TelemetryReports;
  /** Resolves when what was committed before is among the rows. */
  written(): Promise<void>;
}

/** The reports as the operator API reads them; undefined while telemetry is off. Rows are written first. */
export function telemetryService(
  { enabled, reports, written }: OpenedTelemetry,
  price: (model: string) => ModelPrice | undefined,
): TelemetryService["reports"] {
  const savings = (model: string): number | undefined => {
    const { input, cacheRead } = price(model) ?? {};
    return input === undefined || cacheRead === undefined ? undefined : (input - cacheRead) / 1_000_000;
  };
  const current: ReturnType<TelemetryService["reports"]> = {
    summary: (since, until) => written().then(() => reports.summary(since, until)),
    recent: (limit, after) => written().then(() => reports.recent(limit, after)),
    async *csv(since) {
      await written();
      yield* reports.csv(since);
    },
    insights: () => written().then(() => reports.insights(savings)),
    series: (range) => written().then(() => reports.series(range)),
  };
  return () => (enabled ? current : undefined);
}
