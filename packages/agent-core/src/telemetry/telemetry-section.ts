import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  db_path: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), "/sandbox/telemetry.db"),
  fleet_trace_export: v.optional(v.boolean(), false),
});

export type TelemetrySectionValue = v.InferOutput<typeof schema>;

/** The section `telemetry` (B60): numbers of every turn, kept on this machine. */
export const telemetrySection = {
  name: "telemetry",
  title: "Telemetry",
  category: "Box",
  description: "Numbers of every turn: tokens, cost, time, tools. They stay on this machine.",
  schema,
  fields: {
    enabled: {
      label: "Telemetry",
      description: "Keep a row of numbers for every turn, failed and canceled ones included.",
      type: "bool",
      restart: true,
    },
    db_path: {
      label: "Store",
      description:
        "A file, or the address of a libSQL server. Where it cannot be written, telemetry.db in the home is used. The default lies in the home where there is no /sandbox.",
      type: "path",
      path_kind: "file",
      restart: true,
    },
    fleet_trace_export: {
      label: "Fleet trace export",
      description: "Let fleet members write their traces where the hub collects them.",
      type: "bool",
      restart: true,
    },
  },
} as const satisfies SettingsSection;
