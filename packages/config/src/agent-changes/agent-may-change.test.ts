import * as v from "valibot";
import { expect, test } from "vitest";
import type { Section, SettingMetadata } from "../section/index.ts";
import { agentMayChange, unsafeForAgent } from "./index.ts";

const field = (more: Partial<SettingMetadata> = {}): SettingMetadata => ({
  label: "L",
  description: "D.",
  type: "string",
  agent_may_change: true,
  ...more,
});
const number = v.optional(v.number(), 1);
const size = field({ type: "number" });
const section = (over: Partial<Section> = {}): Section => ({
  name: "mail",
  description: "Mail.",
  schema: v.object({ size: number, "inner.size": number }),
  fields: { size, other: field({ agent_may_change: false }), unmarked: { ...size, agent_may_change: undefined } },
  ...over,
});

test("a key that its section marks may be changed by the agent", () => {
  expect(agentMayChange([section()], "mail.size")).toBe(true);
  expect(unsafeForAgent(section())).toEqual([]);
});

test.each<[string, Partial<Section>, string]>([
  ["a key without the mark", {}, "mail.unmarked"],
  ["a key marked as not safe", {}, "mail.other"],
  ["an undeclared key", {}, "mail.nobody"],
  ["the name of an object's own property", {}, "mail.constructor"],
  ["an undeclared section", {}, "mcp.servers"],
  ["a whole section", {}, "mail"],
  ["what lies under a key", {}, "mail.size.more"],
  ["a marked key of a section that the agent may not touch (B89)", { name: "tools" }, "tools.size"],
  ["a marked secret", { secrets: ["size"] }, "mail.size"],
  ["a marked program to run", { fields: { size: { ...size, spawns: true } } }, "mail.size"],
  ["a marked key whose wrong value refuses the start", { fields: { size: { ...size, security: true } } }, "mail.size"],
  ["a marked key of a section whose wrong value refuses the start", { security: true }, "mail.size"],
  ["a field of a list of connections", { merge_by: "size" }, "mail.size"],
])("%s may not be changed by the agent (B89 set_config)", (_what, over, key) => {
  expect(agentMayChange([section(over)], key)).toBe(false);
});

test.each<[string, Partial<Section>, string]>([
  ["a secret", { secrets: ["size"] }, "mail.size: of the trust surface"],
  ["a section of the trust surface", { name: "egress" }, "egress.size: of the trust surface"],
  ["what counts from the next start", { fields: { size: { ...size, restart: true } } }, "decides about the next start"],
  ["free text", { schema: v.object({ size: v.optional(v.string(), "") }) }, "mail.size: can name a place"],
  ["a list of names", { schema: v.object({ size: v.optional(v.array(v.string()), []) }) }, "can name a place"],
  ["a mapping", { schema: v.object({ size: v.optional(v.record(v.string(), v.string()), {}) }) }, "can name a place"],
  ["a key without a schema", { schema: v.object({}) }, "mail.size: can name a place"],
])("a section that marks %s is reported", (_what, over, fault) => {
  expect(unsafeForAgent(section(over)).join()).toContain(fault);
});
