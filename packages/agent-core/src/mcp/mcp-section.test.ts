// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of settings are written so
import * as v from "valibot";
import { expect, test } from "vitest";
import { mcpSection } from "./index.ts";

const parse = (section: object) => v.parse(mcpSection.schema, section);

test("the redactor learns the secrets of every server: stored, inherited and written out", () => {
  const section = parse({
    servers: [
      {
        name: "a",
        command: "run",
        env: { KEY: "${KEY}", MODE: "production" },
        inherit_env: ["TOKEN"],
        args: ["${TOKEN}"],
      },
      { name: "b", url: "https://b.example", headers: { Authorization: "Bearer in-the-file" } },
      { name: "broken", transport: "none" },
    ],
    secrets: { a: { KEY: "stored-key" }, broken: { KEY: "of-a-broken-one" }, removed: { KEY: "of-a-removed-one" } },
  });
  const learned = mcpSection.secretTexts(section, { TOKEN: "from-the-environment", OTHER: "not-asked-for" });
  expect(new Set(learned)).toEqual(
    new Set([
      ...["stored-key", "from-the-environment", "Bearer in-the-file", "in-the-file"],
      ...["of-a-broken-one", "of-a-removed-one"],
    ]),
  );
});

test("entries of any kind are accepted, for each is read by itself; other wrong values are not", () => {
  expect(parse({ servers: ["text", { name: 1 }, null] }).servers).toHaveLength(3);
  for (const section of [
    ...[{ servers: "a" }, { enabled: "yes" }, { timeout_seconds: 0 }, { call_timeout_seconds: -1 }],
    ...[{ expose: { profile: "all" } }, { expose: { tools: ["a b"] } }],
    ...[{ denylist: ["a b"] }, { max_result_chars: 0.5 }, { secrets: { a: { K: 1 } } }, { secrets: { a: "text" } }],
  ])
    expect([section, v.safeParse(mcpSection.schema, section).success]).toEqual([section, false]);
});
