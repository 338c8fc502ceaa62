import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const countFrom = (minimum: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(minimum));

const schema = v.object({
  db_path: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), "/sandbox/checkpoints.db"),
  keep_per_thread: v.optional(countFrom(1), 5),
  max_age_days: v.optional(countFrom(1), 30),
  prune_interval_hours: v.optional(v.pipe(v.number(), v.finite(), v.minValue(1)), 6),
  harvest_enabled: v.optional(v.boolean(), true),
  on_restart: v.optional(v.picklist(["fail", "resume"]), "fail"),
});

/** What `checkpoint` in the configuration comes to. */
export type CheckpointSectionValue = v.InferOutput<typeof schema>;

/** The section `checkpoint` of document 3: the store of tasks and what becomes of them (rulings R11, R12, A18). */
export const checkpointSection = {
  name: "checkpoint",
  description: "The store that holds tasks, messages and the journal.",
  schema,
  fields: {
    db_path: {
      label: "Store",
      description:
        "A file, or the libsql://, http:// or https:// address of a libSQL server. Blank keeps everything in memory only. The default lies in the home where there is no /sandbox.",
      type: "path",
      path_kind: "file",
      restart: true,
    },
    keep_per_thread: {
      label: "Snapshots per thread",
      description: "Step snapshots kept per conversation; messages are never removed by it.",
      type: "number",
      minimum: 1,
    },
    max_age_days: {
      label: "Snapshot age",
      description: "Days after which step snapshots are removed.",
      type: "number",
      minimum: 1,
    },
    prune_interval_hours: {
      label: "Pruning interval",
      description: "Hours between two rounds of pruning.",
      type: "number",
      minimum: 1,
    },
    harvest_enabled: {
      label: "Harvest before pruning",
      description: "Hand conversations to the knowledge store before they are pruned.",
      type: "bool",
    },
    on_restart: {
      label: "After a restart",
      description: "What becomes of unfinished tasks: they fail with a reason, or continue from their last step.",
      type: "select",
      options: ["fail", "resume"],
      restart: true,
    },
  },
} as const satisfies SettingsSection;
