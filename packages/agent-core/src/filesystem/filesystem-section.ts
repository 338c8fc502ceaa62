import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { hasUniqueNames, projectNameSchema, projectPathSchema } from "../fence/index.ts";
import { isSteeringVariable } from "../process/index.ts";
import { isSecretName } from "../redaction/index.ts";
import { editorProblem } from "./editor-command.ts";

const projectSchema = v.object({
  name: projectNameSchema,
  path: projectPathSchema,
  write: v.optional(v.boolean(), false),
  no_delete: v.optional(v.boolean(), false),
});

const variableSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "expected the name of a variable"),
  v.check((name) => !isSecretName(name), "the name says that its value is a secret, which no command is given"),
  v.check((name) => !isSteeringVariable(name), "this variable makes programs load code or settings of others"),
);

const editorSchema = v.pipe(
  v.string(),
  v.maxLength(1_000, "expected at most 1,000 characters"),
  v.check(
    (command) => editorProblem(command) === undefined,
    ({ input }) => editorProblem(input) ?? "",
  ),
);

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  code_pane: v.optional(v.boolean(), false),
  bypass_allowed: v.optional(v.boolean(), true),
  allow_run: v.optional(v.boolean(), true),
  run_requires_approval: v.optional(v.boolean(), true),
  run_auto_approve: v.optional(v.pipe(v.array(v.string()), v.maxLength(500, "expected at most 500 entries")), []),
  sandbox: v.optional(v.picklist(["auto", "required", "off"]), "auto"),
  run_network: v.optional(v.picklist(["approved", "always", "never"]), "approved"),
  run_env: v.optional(v.array(variableSchema), []),
  editor_command: v.optional(editorSchema, ""),
  editor_handoff: v.optional(v.boolean(), true),
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
  category: "Files",
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
        "Operators read the files of projects, and what differs in them from the last commit, in the console and through the API, and the agent shows them lines beside the chat (`show_code`). Needs the file tools.",
      type: "bool",
    },
    bypass_allowed: {
      label: "Approvals may be bypassed",
      description:
        "Off: the switch of a chat cannot skip approvals. On: in such a chat commands, and tools of MCP servers, run without asking, unless `enforcement.require_approval` names them. Read at each call.",
      type: "bool",
    },
    allow_run: {
      label: "Commands",
      description: "Off: the agent has no tool to run commands.",
      type: "bool",
    },
    run_requires_approval: {
      label: "Ask before a command runs",
      description: "Off: no command is asked about, and the status warns of it.",
      type: "bool",
    },
    run_auto_approve: {
      label: "Commands that run without asking",
      description:
        "Beginnings of commands, token by token, such as `npm test`. A command with a sign of a shell, or with an option that writes a file or runs a program, is asked about all the same. Entries that say too little, such as `sh` or `git`, are left out with a warning.",
      type: "string_list",
    },
    sandbox: {
      label: "Sandbox",
      description:
        "auto: commands and scripts run in the system's sandbox where one is usable; required: without one there are no commands; off: never.",
      type: "select",
      options: ["auto", "required", "off"],
    },
    run_network: {
      label: "Network of commands",
      description:
        "approved: those that a person approved have network; always; never. Needs the sandbox: with never and without one there are no commands.",
      type: "select",
      options: ["approved", "always", "never"],
    },
    run_env: {
      label: "Variables for commands",
      description: "Names of variables of the service that commands are given. Those named like a secret are refused.",
      type: "string_list",
    },
    editor_command: {
      label: "Editor",
      description:
        "The editor of this machine's desktop that the agent opens files in, as a program and arguments, such as `code --goto`; blank: it opens none. Started without a shell, with the file and its line as one more argument.",
      type: "string",
    },
    editor_handoff: {
      label: "Hand-off to the editor",
      description:
        "A file that the agent opens in the editor also offers the conversation to the agent there, for 2 minutes.",
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
