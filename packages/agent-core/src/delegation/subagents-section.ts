import type { SettingMetadata, SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { DEFAULT_MAX_TURNS, ROLES, type RoleDefinition, type RoleName } from "./roles.ts";

const countFrom = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(minimum), v.maxValue(maximum));
const toolName = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200));

const roleSchema = ({ tools }: RoleDefinition) =>
  v.optional(
    v.object({
      enabled: v.optional(v.boolean(), true),
      tools: v.optional(v.pipe(v.array(toolName), v.maxLength(1000)), [...tools]),
      max_turns: v.optional(countFrom(1, 1_000), DEFAULT_MAX_TURNS),
      model: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(256)), ""),
    }),
    {},
  );

type OfRoles<T> = { [name in RoleName]: T };

function ofRoles<T>(make: (role: RoleDefinition) => T): OfRoles<T> {
  return Object.fromEntries(ROLES.map((role) => [role.name, make(role)])) as OfRoles<T>;
}

const schema = v.object({
  max_concurrency: v.optional(countFrom(1, 64), 4),
  output_truncate: v.optional(countFrom(200, 100_000), 6_000),
  ...ofRoles(roleSchema),
});

export type SubagentsSectionValue = v.InferOutput<typeof schema>;

function roleFields({ name, description }: RoleDefinition): { readonly [key: string]: SettingMetadata } {
  return {
    [`${name}.enabled`]: {
      label: `${name}: on`,
      description: `${description} When off, a delegation to it is refused.`,
      type: "bool",
    },
    [`${name}.tools`]: {
      label: `${name}: tools`,
      description: "The tools it has; it sees no others. An empty list leaves it with text alone.",
      type: "string_list",
    },
    [`${name}.max_turns`]: {
      label: `${name}: rounds`,
      description: "Tool rounds of a delegation. A request for one more ends it, and what it has is marked as partial.",
      type: "number",
      minimum: 1,
      maximum: 1_000,
    },
    [`${name}.model`]: {
      label: `${name}: model`,
      description:
        "The model it runs on. Blank: the one its turn was asked for, else routing.aux_model, else the lead.",
      type: "string",
    },
  };
}

/** The section `subagents` (B53): the roles that work can be delegated to. */
export const subagentsSection = {
  name: "subagents",
  title: "Subagents",
  category: "Behavior",
  description: "Whom the agent can delegate work to: a role each, with tools, rounds and a model of its own.",
  schema,
  fields: {
    max_concurrency: {
      label: "Subagents at a time",
      description: "How many subagents of one batch work at the same time.",
      type: "number",
      minimum: 1,
      maximum: 64,
    },
    output_truncate: {
      label: "Characters per result",
      description: "How much of each result of a batch the agent reads.",
      type: "number",
      agent_may_change: true,
      minimum: 200,
      maximum: 100_000,
    },
    ...Object.assign({}, ...ROLES.map(roleFields)),
  },
} as const satisfies SettingsSection;
