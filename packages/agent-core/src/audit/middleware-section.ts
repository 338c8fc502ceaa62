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

/** The section `middleware` (B54). */
export const middlewareSection = {
  name: "middleware",
  title: "Parts around turns",
  category: "Behavior",
  description: "What works around the turns.",
  schema,
  environment: [
    { name: "SCHEDULER_DISABLED", meaning: "1 takes the tools that schedule away; scheduled jobs run on." },
    {
      name: "SCHEDULER_INVOKE_URL",
      meaning: "The address of a service that runs scheduled jobs, over A2A message/send; unset: this one.",
    },
    {
      name: "SCHEDULER_FIRE_TIMEOUT_S",
      meaning:
        "Seconds until a run of a job counts as overdue, or, at another service, as unanswered. It ends no turn.",
    },
    {
      name: "SCHEDULER_DB_DIR",
      meaning:
        "The folder of jobs.json, a copy of the scheduled jobs; unset: /sandbox/scheduler where there is a /sandbox.",
    },
  ],
  fields: {
    knowledge: {
      label: "Knowledge",
      description:
        "Put memories before the model: always-on ones, and those that fit its turn. Off, they are found only by the tools.",
      type: "bool",
    },
    audit: {
      label: "Audit log",
      description:
        "Write a line for every tool call, each change of an MCP server and each step of a sign-in to one, into logs/audit.jsonl in the home, without secrets.",
      type: "bool",
    },
    memory: {
      label: "Memory",
      description:
        "Keep a summary of each conversation, in the folder of MEMORY_PATH; SVC_DISABLE_MEMORY switches it off too.",
      type: "bool",
    },
    scheduler: {
      label: "Scheduler",
      description:
        "Run scheduled jobs, and give the agent the tools that schedule. Off, slots are recorded as missed; SCHEDULER_DISABLED takes the tools alone.",
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
