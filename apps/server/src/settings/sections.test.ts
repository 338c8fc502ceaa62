import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, renderExample, unsafeForAgent, verifySection } from "@agent-service/config";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { declaredSections } from "../testing/declared-sections.ts";
import { SECTIONS } from "./sections.ts";
import { RESERVED_SECTIONS } from "./unbuilt-features.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "sections-"));
  mkdirSync(join(home, "config"));
});
afterEach(() => rmSync(home, { recursive: true }));

function load(text?: string) {
  if (text !== undefined) writeFileSync(join(home, "config", "agent-config.yaml"), text);
  const config = loadConfig({ home, configDir: join(home, "config"), env: {}, sections: SECTIONS });
  if (!config.ok) throw new Error(config.errors.map(({ message }) => message).join("\n"));
  return config;
}

test.each(SECTIONS.map((section) => [section.name, section] as const))(
  "the declaration of %s is sound",
  (_name, section) => {
    expect([...verifySection(section), ...unsafeForAgent(section)]).toEqual([]);
  },
);

test("every section that a file of the repository declares is in the list", () => {
  expect([...declaredSections().keys()].sort()).toEqual(SECTIONS.map(({ name }) => name).sort());
});

test("no section is declared and reserved at once", () => {
  const declared = new Set<string>(SECTIONS.map(({ name }) => name));
  expect(RESERVED_SECTIONS.filter((name) => declared.has(name))).toEqual([]);
});

test("the example loads as exactly the defaults, unchanged and with any of its settings uncommented", () => {
  const { values } = load();
  const lines = renderExample(SECTIONS).split("\n");
  const settings = lines.flatMap((line, index) => (/^ *# /.test(line) ? [index] : []));
  const uncomment = (picked: ReadonlySet<number>) =>
    lines.map((line, index) => (picked.has(index) ? line.replace("# ", "") : line)).join("\n");
  for (const picked of [[], settings]) {
    const config = load(uncomment(new Set(picked)));
    expect([config.values, config.warnings]).toEqual([values, []]);
  }
  fc.assert(
    fc.property(fc.subarray(settings), (picked) => {
      const config = load(uncomment(new Set(picked)));
      expect([config.values, config.warnings]).toEqual([values, []]);
    }),
    { numRuns: 40 },
  );
});

test("unchanged the example names no model and no connection (R10)", () => {
  const { provenance } = load(renderExample(SECTIONS));
  expect([...provenance.values()].filter(({ layer }) => layer !== "default")).toEqual([]);
});

test("the examples inside the example are valid settings", () => {
  const shown = SECTIONS.flatMap((section) => {
    if (!("example" in section)) return [];
    return "merge_by" in section ? [section.example] : [`${section.name}:\n${section.example.replace(/^/gm, "  ")}`];
  });
  const { values, warnings } = load(shown.join("\n"));
  expect(warnings).toEqual([]);
  expect([values.providers?.length, values.a2a.skills.length]).toEqual([1, 1]);
});

test("property: whatever the files hold, loading answers with values or with one-line errors, and never throws", () => {
  const anything = fc.jsonValue({ maxDepth: 4 });
  const keyed = (section: (typeof SECTIONS)[number]) =>
    fc.oneof(anything, fc.dictionary(fc.constantFrom(...Object.keys(section.fields)), anything), fc.array(anything));
  const document = fc.record(Object.fromEntries(SECTIONS.map((section) => [section.name, keyed(section)])), {
    requiredKeys: [],
  });
  const text = fc.oneof(
    { weight: 4, arbitrary: document.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ unit: codePoint }) },
    { weight: 1, arbitrary: fc.stringMatching(/^[a-z:\- \n\t[\]{}&*!|>'"#%@`,?]{0,60}$/) },
  );
  const configDir = join(home, "config");
  fc.assert(
    fc.property(text, text, text, (host, file, secrets) => {
      writeFileSync(join(home, "host-config.yaml"), host);
      writeFileSync(join(configDir, "agent-config.yaml"), file);
      writeFileSync(join(configDir, "secrets.yaml"), secrets);
      const config = loadConfig({ home, configDir, env: {}, sections: SECTIONS });
      for (const { message } of [...config.errors, ...config.warnings]) {
        expect(message).not.toMatch(/\p{Cc}/u);
        expect(message.length).toBeLessThan(1000);
      }
      if (config.ok) expect(Object.keys(config.values)).toEqual(SECTIONS.map(({ name }) => name));
    }),
    { numRuns: 100 },
  );
});

test("the example that ships is the one the declarations give (brought up to date by vitest --update)", async () => {
  await expect(renderExample(SECTIONS)).toMatchFileSnapshot("../../agent-config.example.yaml");
});
