import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const names = v.optional(
  v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200))), v.maxLength(1000)),
  [],
);

const schema = v.object({
  disabled: names,
  hidden: names,
  deferred: v.optional(v.object({ enabled: v.optional(v.boolean()), keep: names }), {}),
  self_config_enabled: v.optional(v.boolean(), false),
});

export type ToolsSectionValue = v.InferOutput<typeof schema>;

/** The section `tools` (B58). A change counts from the next model call on. */
export const toolsSection = {
  name: "tools",
  title: "Tools",
  category: "Capabilities",
  description: "Which tools the agent has.",
  schema,
  fields: {
    disabled: {
      label: "Disabled tools",
      description: "Names of tools that the agent does not get; * matches any characters.",
      type: "string_list",
    },
    hidden: {
      label: "Hidden tools",
      description: "As disabled, and not listed to people either.",
      type: "string_list",
    },
    "deferred.enabled": {
      label: "Search for tools",
      description:
        "Show the model a few tools and let it find the others with search_tools. Saves tokens where there are many. Not set: tools of plugins and MCP servers are found that way once there are more than 128 tools.",
      type: "bool",
    },
    "deferred.keep": {
      label: "Always shown",
      description:
        "Names of tools that are shown from the start; * matches any characters. Empty: a built-in selection.",
      type: "string_list",
      depends_on: { key: "deferred.enabled", equals: true },
    },
    self_config_enabled: {
      label: "May change its settings",
      description:
        "Gives the agent the tool set_config. It reaches only the settings that are marked *agent* in docs/configuration.md.",
      type: "bool",
    },
  },
} as const satisfies SettingsSection;
