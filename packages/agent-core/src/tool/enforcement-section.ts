import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { NAME_PATTERN } from "./name-patterns.ts";

const MAX_NAMES = 1_000;
/** Longest window, a day. */
const MAX_WINDOW = 86_400;
/** Most calls of a window: each is remembered until it leaves the window. */
const MAX_CALLS = 10_000;

const names = v.optional(
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(NAME_PATTERN, "expected the name of a tool; * matches any characters"))),
    v.maxLength(MAX_NAMES),
  ),
  [],
);

const limit = v.strictObject({
  max: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MAX_CALLS)),
  window_seconds: v.pipe(v.number(), v.minValue(0.001), v.maxValue(MAX_WINDOW)),
});

const schema = v.object({
  disallowed_tools: names,
  rate_limits: v.optional(
    v.pipe(
      v.record(v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]{1,64}$/, "expected the name of a tool")), limit),
      v.maxEntries(MAX_NAMES),
    ),
    {},
  ),
  require_approval: names,
});

export type EnforcementSectionValue = v.InferOutput<typeof schema>;

/** The section `enforcement` (B54), with approvals. A wrong value refuses (S8). */
export const enforcementSection = {
  name: "enforcement",
  title: "Approvals and limits of tools",
  category: "Capabilities",
  description: "What is checked before a tool runs. A change counts at once, also for running turns.",
  schema,
  security: true,
  fields: {
    disallowed_tools: {
      label: "Blocked tools",
      description:
        "Names of tools that are never run; * matches any characters. The model reads why. Counts while middleware.enforcement is on.",
      type: "string_list",
    },
    rate_limits: {
      label: "Rate limits",
      description:
        "By name of a tool: at most max calls in any window_seconds, over all turns. Counts while middleware.enforcement is on; begins anew at a restart.",
      type: "json",
    },
    require_approval: {
      label: "Ask before",
      description:
        "Names of tools whose calls the operator approves first, each time; * matches any characters. Applies whether or not middleware.enforcement is on.",
      type: "string_list",
    },
  },
  example: 'rate_limits: { web_search: { max: 10, window_seconds: 60 } }\nrequire_approval: ["set_config"]',
} as const satisfies SettingsSection;
