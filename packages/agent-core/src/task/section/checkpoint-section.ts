import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const countFrom = (minimum: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(minimum));

const schema = v.object({
  db_path: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), "/sandbox/checkpoints.db"),
  keep_per_thread: v.optional(countFrom(1), 5),
  max_age_days: v.optional(countFrom(1), 30),
  conversation_max_age_days: v.optional(countFrom(0), 0),
  prune_interval_hours: v.optional(v.pipe(v.number(), v.finite(), v.minValue(1)), 6),
  harvest_enabled: v.optional(v.boolean(), true),
  on_restart: v.optional(v.picklist(["auto", "fail", "resume"]), "auto"),
});

export type CheckpointSectionValue = v.InferOutput<typeof schema>;

/** The section `checkpoint` (B66): the store of tasks and what becomes of them (R11, R12, R14, A18). */
export const checkpointSection = {
  name: "checkpoint",
  title: "Storage and retention",
  category: "Box",
  description: "The store that holds runs, messages and the journal.",
  schema,
  fields: {
    db_path: {
      label: "Store",
      description:
        "A file, or the libsql://, http:// or https:// address of a libSQL server. Blank keeps everything in memory only. The default lies in the home where there is no /sandbox, and is also used where the folder of this one cannot be made.",
      type: "path",
      path_kind: "file",
      restart: true,
    },
    keep_per_thread: {
      label: "Turns kept in detail",
      description: "The newest turns of a conversation keep their steps however old they are.",
      type: "number",
      minimum: 1,
    },
    max_age_days: {
      label: "Age of details",
      description:
        "Days after its end that a turn keeps its steps: journal events, arguments of calls, delegated work. Its messages and answer stay.",
      type: "number",
      minimum: 1,
    },
    conversation_max_age_days: {
      label: "Age of conversations",
      description: "Days after its last turn that a whole conversation is removed; 0 leaves that to people.",
      type: "number",
      minimum: 0,
    },
    prune_interval_hours: {
      label: "Pruning interval",
      description: "Hours between two rounds of removal.",
      type: "number",
      minimum: 1,
    },
    harvest_enabled: {
      label: "Harvest before removal",
      description:
        "Extract memories from a conversation before its age removes it. One of which that fails three times stays, and the log counts them. Where memory is off, conversations are removed without.",
      type: "bool",
    },
    on_restart: {
      label: "After a restart",
      description:
        "What becomes of unfinished runs. fail: they end with a reason. resume: they continue from their last step. auto: those that another program sent over A2A end, all others continue.",
      type: "select",
      options: ["auto", "fail", "resume"],
      restart: true,
    },
  },
} as const satisfies SettingsSection;
