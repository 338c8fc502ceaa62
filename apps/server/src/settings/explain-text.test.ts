import * as v from "valibot";
import { expect, test } from "vitest";
import { explainText } from "./explain-text.ts";
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

test("each value stands on a line with its source, secrets only as set or not", () => {
  const text = explainText(views, "mail");
  expect(text?.split("\n").map((line) => line.replace(/ {2,}/, "  "))).toEqual([
    'mail.host = "a.test"  /c/agent-config.yaml:3',
    "mail.token = (secret, set)  environment variable TOKEN",
    "mail.key = (secret, not set)  default",
    "mail.port = (unset)  default",
    "",
  ]);
});

test("one key, all keys, no key", () => {
  expect(explainText(views, "mail.port")).toBe("mail.port = (unset)  default\n");
  expect(explainText(views, undefined)?.split("\n")).toHaveLength(6);
  expect(explainText(views, "mail.nothing")).toBeUndefined();
  expect(explainText(views, "mailing")).toMatch(/^mailing\.list = .{200}… {2}default\n$/);
});
