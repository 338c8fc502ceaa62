import * as v from "valibot";
import { expect, test } from "vitest";
import { explained } from "./explained.ts";
import type { SettingView } from "./setting-views.ts";

const section = { name: "mail", description: "", schema: v.object({}), fields: {} };
const view = (key: string, value: unknown, more: Partial<SettingView> = {}): SettingView => ({
  key,
  section,
  field: { label: "L", description: "D.", type: "string" },
  secret: false,
  value,
  fallback: undefined,
  from: { layer: "default" },
  ...more,
});
const views = [
  view("mail.host", "a.test", { from: { layer: "file", file: "/c/agent-config.yaml", line: 3 } }),
  view("mail.token", "hunter2", { secret: true, from: { layer: "env", variable: "TOKEN" } }),
  view("mail.key", "", { secret: true }),
  view("mail.port", undefined),
  view("mailing.list", ["x".repeat(500)]),
];

test("each value is on a line with its source, secrets only as set or not", () => {
  const found = explained(views, "mail");
  expect(found?.text.split("\n").map((line) => line.replace(/ {2,}/, "  "))).toEqual([
    'mail.host = "a.test"  /c/agent-config.yaml:3',
    "mail.token = (secret, set)  environment variable TOKEN",
    "mail.key = (secret, not set)  default",
    "mail.port = (unset)  default",
    "",
  ]);
  expect(found?.json.values).toEqual([
    {
      key: "mail.host",
      value: "a.test",
      secret: false,
      is_set: true,
      layer: "agent",
      source: "/c/agent-config.yaml:3",
    },
    { key: "mail.token", value: "", secret: true, is_set: true, layer: "env", source: "environment variable TOKEN" },
    { key: "mail.key", value: "", secret: true, is_set: false, layer: "default", source: "" },
    { key: "mail.port", value: null, secret: false, is_set: false, layer: "default", source: "" },
  ]);
});

test("one key, all keys, no key", () => {
  expect(explained(views, "mail.port")?.text).toBe("mail.port = (unset)  default\n");
  expect(explained(views, undefined)?.text.split("\n")).toHaveLength(6);
  expect(explained(views, "mail.nothing")).toBeUndefined();
  expect(explained(views, "mailing")?.text).toMatch(/^mailing\.list = .{200}… {2}default\n$/);
});
