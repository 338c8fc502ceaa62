import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { hasUniqueNames, projectNameSchema, projectPathSchema } from "../fence/index.ts";

const projectSchema = v.object({
  name: projectNameSchema,
  path: projectPathSchema,
  write: v.optional(v.boolean(), false),
  no_delete: v.optional(v.boolean(), false),
});

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  code_pane: v.optional(v.boolean(), false),
  bypass_allowed: v.optional(v.boolean(), true),
  projects: v.optional(
    v.pipe(
      v.array(projectSchema),
      v.maxLength(200, "expected at most 200 projects"),
      v.check((projects) => hasUniqueNames(projects), "two projects have the same name"),
    ),
    [],
  ),
  history_mb: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_048_576)), 1_024),
});

export type FilesystemSectionValue = v.InferOutput<typeof schema>;

/** The section `filesystem`: the file tools. A wrong value refuses (S8). */
export const filesystemSection = {
  name: "filesystem",
  title: "Files",
  category: "Capabilities",
  description: "The agent's tools for files.",
  schema,
  security: true,
  environment: [
    {
      name: "SVC_WORKSPACE",
      meaning:
        "The folder the file tools reach where no project is configured. Default: `workspace` in the home (in `/sandbox` where there is one).",
    },
  ],
  fields: {
    enabled: {
      label: "File tools",
      description: "Off: the agent has no tools for files, and nothing is reached.",
      type: "bool",
    },
    code_pane: {
      label: "Code pane",
      description:
        "Operators read the files of projects, and what differs in them from the last commit, in the console and through the API. Needs the file tools.",
      type: "bool",
    },
    bypass_allowed: {
      label: "Approvals may be bypassed",
      description:
        "Off: the switch of a chat cannot skip approvals. On: in such a chat commands, and tools of MCP servers, run without asking, unless `enforcement.require_approval` names them. Read at each call.",
      type: "bool",
    },
    projects: {
      label: "Projects",
      description:
        "A list of {name, path, write, no_delete}; write and no_delete are off by default. Counts while the section projects is empty. Where both are, one folder of its own is used, which the agent may write.",
      type: "json",
    },
    history_mb: {
      label: "History of files",
      description:
        "Megabytes that what files held before they were changed may take; the oldest goes first. 0: nothing is kept, and no change can be undone.",
      type: "number",
    },
  },
  example: ["projects:", "  - {name: notes, path: ~/notes, write: true}"].join("\n"),
} as const satisfies SettingsSection;
