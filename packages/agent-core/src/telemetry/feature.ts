import { defineFeature, featureKey } from "../feature/index.ts";
import { traces } from "../tracing/index.ts";
import { observation } from "./observation-store.ts";
import { Telemetry } from "./telemetry.ts";
import { TelemetryReports } from "./telemetry-reports.ts";
import { telemetrySection } from "./telemetry-section.ts";

export interface TelemetryFeatureOptions {
  /** Names the version of the persona that leads now. Default: none is noted. */
  readonly persona?: () => string | null;
}

/** The telemetry of an engine, for those that need it. */
export const turnTelemetry = featureKey<
  "telemetry",
  {
    readonly enabled: boolean;
    readonly reports: TelemetryReports;
    /** Resolves when what was committed before is among the rows. */
    written(): Promise<void>;
  }
>("telemetry");

/** Numbers of every turn, written behind the journal (B60 `telemetry`). */
export function telemetry({ persona }: TelemetryFeatureOptions = {}) {
  return defineFeature({
    name: turnTelemetry.name,
    needs: [observation, traces],
    sections: [telemetrySection],
    open({ clock, redactor, feed }, { needs, settings }) {
      const db = needs.observation.get;
      const redact = (text: string): string => redactor.text(text);
      const reader = new Telemetry({
        ...{ db, clock, redact, trace: needs.tracing.traceOf },
        ...(persona === undefined ? {} : { persona }),
      });
      return {
        /** Read at the start: a change needs a restart. */
        enabled: settings.telemetry.enabled,
        reader,
        reports: new TelemetryReports(db),
        /** Resolves when what was committed before is among the rows. */
        written: (): Promise<void> => feed.idle(reader),
      };
    },
    readers: ({ enabled, reader }) => (enabled ? [reader] : []),
  });
}
