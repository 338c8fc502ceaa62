import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** What is read of a result at most, whatever this says. */
const MOST_CHARS = 100_000;

const schema = v.object({
  enabled: v.optional(v.boolean(), false),
  timeout: v.optional(v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(3600)), 30),
  tools: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.regex(NAME, "expected the name of a tool"))), v.maxLength(1000)),
    [],
  ),
  output_truncate: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(200), v.maxValue(MOST_CHARS)), 6000),
});

export type ExecuteCodeSectionValue = v.InferOutput<typeof schema>;

/** The section `execute_code` (F18). A wrong value refuses (S8). */
export const executeCodeSection = {
  name: "execute_code",
  title: "Scripts",
  category: "Files",
  description: "Scripts of the agent that call its tools. A change counts from the next call on.",
  schema,
  security: true,
  fields: {
    enabled: {
      label: "Scripts",
      description:
        "Gives the agent the tool execute_code. A script runs in a process of its own without files and network (in the system's sandbox, where one is usable), and reaches nothing but tools; each of its calls is checked and approved like any call.",
      type: "bool",
    },
    timeout: {
      label: "Time limit",
      description: "Seconds that a script may take, its calls included and the time that people take left out.",
      type: "number",
      minimum: 1,
      maximum: 3600,
      depends_on: { key: "enabled", equals: true },
    },
    tools: {
      label: "Tools in scripts",
      description:
        "Names of the tools that scripts reach. Empty: all the turn has, but for those that ask the person, delegate or wait.",
      type: "string_list",
      depends_on: { key: "enabled", equals: true },
    },
    output_truncate: {
      label: "Length of results",
      description: "Characters of what a script printed and returned that the model reads; the middle is cut.",
      type: "number",
      minimum: 200,
      maximum: MOST_CHARS,
      depends_on: { key: "enabled", equals: true },
    },
  },
} as const satisfies SettingsSection;
