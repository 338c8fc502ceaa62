import * as v from "valibot";
import { expect, test } from "vitest";
import { SECTIONS } from "../../apps/server/src/settings/index.ts";
import { configurationPage } from "./configuration-page.ts";

test("the page has a row for every key of every section", () => {
  const page = configurationPage(SECTIONS);
  const missing = SECTIONS.flatMap(({ name, fields }) => {
    const [, section = ""] = page.split(`\n## \`${name}\`\n`);
    return Object.keys(fields).filter((key) => !section.split("\n## ")[0]!.includes(`| \`${key}\` |`));
  });
  expect(missing).toEqual([]);
});

test("a row has type, bounds, default, variable and restart; no secret has a default", () => {
  const page = configurationPage([
    {
      name: "mail",
      description: "Mail.",
      security: true,
      schema: v.object({
        port: v.optional(v.number(), 25),
        token: v.optional(v.string(), "x"),
        mode: v.optional(v.string()),
      }),
      secrets: ["token"],
      variables: { port: { variable: "MAIL_PORT", mode: "override" } },
      fields: {
        port: { label: "Port", description: "Its port.", type: "number", minimum: 1, restart: true },
        token: { label: "Token", description: "A|B.", type: "secret" },
        mode: { label: "Mode", description: "How.", type: "select", options: ["", "a"] },
      },
    },
  ]);
  expect(page).toContain("Mail. **security**");
  expect(page).toContain(
    "| `port` | number | `25` | Port: Its port. At least 1. `MAIL_PORT` overrides it. *restart* |",
  );
  expect(page).toContain("| `token` | secret |  | Token: A\\|B. |");
  expect(page).toContain('| `mode` | select | unset | Mode: How. One of `""`, `a`. |');
});
