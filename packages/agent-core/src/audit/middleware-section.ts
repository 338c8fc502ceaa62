import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const on = v.optional(v.boolean(), true);
const schema = v.object({
  knowledge: on,
  audit: on,
  memory: on,
  scheduler: on,
  enforcement: v.optional(v.boolean(), false),
});

export type MiddlewareSectionValue = v.InferOutput<typeof schema>;

/** The section `middleware` (B54). Of its switches this release has `audit` and `enforcement`; the others wait for their features. */
export const middlewareSection = {
  name: "middleware",
  title: "Parts around turns",
  category: "Behavior",
  description: "What works around the turns. Of these, this release has the audit log and enforcement.",
  schema,
  environment: [
    {
      name: "SCHEDULER_DISABLED",
      meaning: "1 takes the tools that schedule away, as middleware.scheduler: false does.",
    },
  ],
  fields: {
    knowledge: {
      label: "Knowledge",
      description: "Show the model what was found for its turn. Does nothing before there is a knowledge store.",
      type: "bool",
    },
    audit: {
      label: "Audit log",
      description: "Write a line for every tool call into logs/audit.jsonl in the home, without secrets.",
      type: "bool",
    },
    memory: {
      label: "Memory",
      description: "Keep a summary of each session. Does nothing before there is memory.",
      type: "bool",
    },
    scheduler: {
      label: "Scheduler",
      description: "The tools that schedule: wait. Off takes them away, as SCHEDULER_DISABLED does.",
      type: "bool",
    },
    enforcement: {
      label: "Enforcement",
      description:
        "Check calls of tools against enforcement.disallowed_tools and enforcement.rate_limits before they run.",
      type: "bool",
      security: true,
    },
  },
} as const satisfies SettingsSection;
