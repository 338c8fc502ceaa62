import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const names = v.optional(
  v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200))), v.maxLength(1000)),
  [],
);

const schema = v.object({
  disabled: names,
  hidden: names,
  self_config_enabled: v.optional(v.boolean(), false),
});

/** What `tools` in the configuration comes to. */
export type ToolsSectionValue = v.InferOutput<typeof schema>;

/** The section `tools` of document 3; `deferred` comes with the search for tools. */
export const toolsSection = {
  name: "tools",
  description: "Which tools the agent has.",
  schema,
  fields: {
    disabled: {
      label: "Disabled tools",
      description: "Names of tools that the agent does not get.",
      type: "string_list",
      restart: true,
    },
    hidden: {
      label: "Hidden tools",
      description: "As disabled, and not listed to people either.",
      type: "string_list",
      restart: true,
    },
    self_config_enabled: {
      label: "May change its settings",
      description:
        "Gives the agent the tool set_config. It never reaches secrets, addresses of connections, and what decides what the agent may do.",
      type: "bool",
      restart: true,
    },
  },
} as const satisfies SettingsSection;
