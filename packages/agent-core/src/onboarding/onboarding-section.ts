import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { canFit } from "./repository-pattern.ts";

const pattern = v.pipe(
  v.string("expected a pattern"),
  v.trim(),
  v.maxLength(300, "a pattern has at most 300 characters"),
  v.regex(/^(?:(?!\*{3})[^\s\\])+$/, "expected a pattern such as github.com/example/*"),
  v.check(canFit, "expected <host>/<owner>/<repo>, with * or ** where any will do"),
);

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  root: v.optional(
    v.pipe(
      v.string("expected a path"),
      v.trim(),
      v.regex(/^(?:(?:\/|~\/)[^\0]*)?$/, "expected an absolute path, or one that begins with ~/"),
    ),
    "",
  ),
  allow: v.optional(v.pipe(v.array(pattern), v.maxLength(500, "expected at most 500 patterns")), []),
  write_default: v.optional(v.boolean(), false),
  approve_outside_root: v.optional(v.boolean(), true),
});

export type OnboardingSectionValue = v.InferOutput<typeof schema>;

/** The section `onboarding`: how projects come in (F20, F21). A wrong value refuses (S8). */
export const onboardingSection = {
  name: "onboarding",
  title: "New projects",
  category: "Files",
  description: "Which repositories may be cloned, and which folders the agent may register as projects.",
  schema,
  security: true,
  fields: {
    enabled: {
      label: "Tools for new projects",
      description: "Off: the agent has neither onboard_project nor register_local_project.",
      type: "bool",
    },
    root: {
      label: "Folder of clones",
      description:
        "Repositories are cloned into it, and folders in it are registered without asking. Blank: nothing is cloned.",
      type: "path",
      path_kind: "dir",
    },
    allow: {
      label: "Allowed repositories",
      description:
        "Patterns of <host>/<owner>/<repo> that may be cloned: * stands for any part, ** for any number of them. Empty: nothing may be cloned.",
      type: "string_list",
    },
    write_default: {
      label: "Writable",
      description: "Whether the agent may write in projects that are registered without saying so.",
      type: "bool",
    },
    approve_outside_root: {
      label: "Ask about other folders",
      description: "Off: the agent cannot register a folder outside of the folder of clones.",
      type: "bool",
    },
  },
  example: ["root: ~/src/agent", "allow: [github.com/example/*]"].join("\n"),
} as const satisfies SettingsSection;
