import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { ConfigProblem } from "../problem/index.ts";
import type { Section, SettingMetadata } from "../section/index.ts";
import { parseYaml } from "../yaml-file/index.ts";
import type { FileLayer, Layers } from "./layers.ts";
import { resolveListSection } from "./resolve-list-section.ts";
import { resolveMapSection } from "./resolve-map-section.ts";

const field: SettingMetadata = { label: "L", description: "D.", type: "string" };

const demo: Section = {
  name: "demo",
  description: "Demo.",
  schema: v.object({
    name: v.optional(v.string(), "d"),
    size: v.optional(v.pipe(v.number(), v.minValue(0)), 1),
    tags: v.optional(v.array(v.string()), []),
    deep: v.optional(v.object({ on: v.optional(v.boolean(), false) }), {}),
    top: v.optional(v.number()),
    token: v.optional(v.string(), ""),
  }),
  fields: Object.fromEntries(["name", "size", "tags", "deep.on", "top", "token"].map((key) => [key, field])),
  secrets: ["token"],
  variables: {
    name: { variable: "NAME", mode: "override" },
    size: { variable: "SIZE", mode: "fallback" },
    token: { variable: "TOKEN", mode: "override" },
  },
};

const connections: Section = {
  name: "providers",
  description: "Connections.",
  schema: v.optional(
    v.array(
      v.object({
        id: v.pipe(v.string(), v.regex(/^[a-z]+$/)),
        type: v.optional(v.picklist(["a", "b"]), "a"),
        base_url: v.optional(v.string(), ""),
        label: v.optional(v.string(), ""),
        api_key: v.optional(v.string(), ""),
      }),
    ),
  ),
  merge_by: "id",
  required: ["type"],
  secrets: ["api_key"],
  fields: Object.fromEntries(["id", "type", "base_url", "label", "api_key"].map((key) => [key, field])),
};

interface World {
  host?: unknown;
  file?: unknown;
  secrets?: unknown;
  env?: Record<string, string>;
  flags?: Layers["flags"];
}

function resolve(section: Section, world: World) {
  const errors: ConfigProblem[] = [];
  const warnings: ConfigProblem[] = [];
  const files = (["host", "file", "secrets"] as const).flatMap((layer): FileLayer[] => {
    if (world[layer] === undefined) return [];
    const text = typeof world[layer] === "string" ? world[layer] : stringify({ [section.name]: world[layer] });
    const parsed = parseYaml(text);
    if (!parsed.ok) throw new Error(parsed.reason);
    return [{ layer, file: `${layer}.yaml`, root: parsed.root }];
  });
  const layers: Layers = { files, env: world.env ?? {}, flags: world.flags ?? {} };
  const sink = { error: (p: ConfigProblem) => errors.push(p), warn: (p: ConfigProblem) => warnings.push(p) };
  const { value, provenance } = (section.merge_by ? resolveListSection : resolveMapSection)(section, layers, sink);
  return { value, errors, warnings, layerOf: (key: string) => provenance.get(`${section.name}.${key}`)?.layer };
}

const defaults = { name: "d", size: 1, tags: [], deep: { on: false }, token: "" };

test("without any layer the defaults apply", () => {
  const { value, errors, warnings, layerOf } = resolve(demo, {});
  expect({ value, errors, warnings }).toEqual({ value: defaults, errors: [], warnings: [] });
  expect(layerOf("deep.on")).toBe("default");
});

const layerValue = fc.record(
  {
    name: fc.string(),
    size: fc.nat(),
    tags: fc.array(fc.string(), { maxLength: 3 }),
    deep: fc.record({ on: fc.boolean() }, { requiredKeys: [] }),
    top: fc.oneof(fc.nat(), fc.constant(null)),
  },
  { requiredKeys: [] },
);
const visible = fc.string().filter((text) => text.trim() !== "");

test("property: of the layers that set a key, the last one wins, lists whole", () => {
  const world = fc.record(
    { host: layerValue, file: layerValue, name: visible, size: fc.nat(), flag: fc.nat() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(world, ({ host, file, name, size, flag }) => {
      const env = { ...(name === undefined ? {} : { NAME: name }), ...(size === undefined ? {} : { SIZE: `${size}` }) };
      const flags: Layers["flags"] = flag === undefined ? {} : { "demo.size": { flag: "size", value: flag } };
      const { value, layerOf, errors, warnings } = resolve(demo, {
        ...(host && { host }),
        ...(file && { file }),
        env,
        flags,
      });
      const last = <T>(...values: [string, T | null | undefined][]) =>
        values.findLast(([, one]) => one !== undefined && one !== null);
      const expected = {
        name: last(["default", "d"], ["host", host?.name], ["file", file?.name], ["env", name]),
        size: last(["default", 1], ["env", size], ["host", host?.size], ["file", file?.size], ["flag", flag]),
        tags: last<string[]>(["default", []], ["host", host?.tags], ["file", file?.tags]),
        on: last(["default", false], ["host", host?.deep?.on], ["file", file?.deep?.on]),
        top: last<number>(["host", host?.top], ["file", file?.top]),
      };
      expect(value).toEqual({
        ...{ name: expected.name?.[1], size: expected.size?.[1], tags: expected.tags?.[1], token: "" },
        deep: { on: expected.on?.[1] },
        ...(expected.top && { top: expected.top[1] }),
      });
      expect([layerOf("name"), layerOf("size"), layerOf("tags"), layerOf("deep.on"), layerOf("top")]).toEqual([
        ...[expected.name?.[0], expected.size?.[0], expected.tags?.[0], expected.on?.[0]],
        expected.top?.[0] ?? "default",
      ]);
      expect([...errors, ...warnings]).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("property: a secret is the overlay's, else the live file's, else the variable's; blanks count as none", () => {
  const layer = fc.option(fc.constantFrom("", "  ", "s3cret", "other"), { nil: undefined });
  fc.assert(
    fc.property(layer, layer, layer, (secrets, file, variable) => {
      const { value, layerOf } = resolve(demo, {
        ...(secrets === undefined ? {} : { secrets: { token: secrets } }),
        ...(file === undefined ? {} : { file: { token: file } }),
        env: variable === undefined ? {} : { TOKEN: variable },
      });
      const winner = [["secrets", secrets] as const, ["file", file] as const, ["env", variable] as const].find(
        ([, one]) => one !== undefined && one.trim() !== "",
      );
      expect((value as typeof defaults).token).toBe(winner?.[1] ?? "");
      expect(layerOf("token")).toBe(winner?.[0] ?? "default");
    }),
  );
});

test("a wrong value falls back to the default, not to a lower layer, and names file, line and key (S8)", () => {
  const { value, warnings, layerOf } = resolve(demo, {
    host: { size: 7 },
    file: "demo:\n  name: good\n  size: -3\n  tags:\n    - a\n    - 5\n  deep: 4\n",
  });
  expect(value).toEqual({ ...defaults, name: "good" });
  expect(warnings.map(({ message }) => message)).toEqual([
    "file.yaml:3: demo.size: expected >=0, got -3; the default is used",
    "file.yaml:6: demo.tags: 1: expected string, got 5; the default is used",
    "file.yaml:7: demo.deep: expected a mapping of keys; the default is used",
  ]);
  expect([layerOf("size"), layerOf("name")]).toEqual(["default", "file"]);
});

test("a wrong value in a security section, or of a secret anywhere, is an error that quotes no secret", () => {
  const strict: Section = { ...demo, security: true };
  expect(resolve(strict, { file: { size: "hunter2" } }).errors.map(({ code }) => code)).toEqual(["wrong-value"]);
  for (const world of [{ file: { token: [87_654_321] } }, { secrets: { token: { a: 87_654_321 } } }]) {
    const { errors } = resolve(demo, world);
    expect(errors.map(({ code, key }) => [code, key])).toEqual([["wrong-value", "demo.token"]]);
    expect(errors[0]?.message).not.toContain("87654321");
  }
});

test("a losing layer's wrong value is still reported", () => {
  const { errors } = resolve({ ...demo, security: true }, { host: { size: "x" }, file: { size: 2 } });
  expect(errors.map(({ message }) => message)).toEqual(['host.yaml:2: demo.size: expected number, got "x"']);
});

test("unknown keys are ignored with a hint; values in the overlay that are no secrets are ignored, too", () => {
  const { value, warnings } = resolve(demo, {
    file: "demo:\n  nmae: x\n  deep: {off: 1}\n",
    secrets: { name: "x", token: "t" },
  });
  expect(value).toEqual({ ...defaults, token: "t" });
  expect(warnings.map(({ message }) => message)).toEqual([
    "file.yaml:2: demo.nmae: unknown key, ignored (did you mean name?)",
    "file.yaml:3: demo.deep.off: unknown key, ignored",
    "secrets.yaml:2: demo.name: not a secret, ignored in this file",
  ]);
});

test("a secret in the host layer is ignored, or refused where ignoring it would leave access open", () => {
  const host = { token: "hunter2" };
  const lenient = resolve(demo, { host });
  expect([lenient.value, lenient.warnings.map(({ code }) => code)]).toEqual([defaults, ["misplaced-secret"]]);
  const strict = resolve({ ...demo, security: true }, { host });
  expect(strict.errors.map(({ code }) => code)).toEqual(["misplaced-secret"]);
  expect(JSON.stringify([lenient.warnings, strict.errors])).not.toContain("hunter2");
});

test("keys that are right alone but wrong together fall back together", () => {
  const range: Section = {
    ...demo,
    schema: v.pipe(
      v.object({ from: v.optional(v.number(), 1), to: v.optional(v.number(), 2) }),
      v.check(({ from, to }) => from <= to, "from is after to"),
    ),
    fields: { from: field, to: field },
    secrets: [],
    variables: {},
  };
  const { value, warnings, layerOf } = resolve(range, { file: { from: 9, to: 3 } });
  expect([value, layerOf("from")]).toEqual([{ from: 1, to: 2 }, "default"]);
  expect(warnings.map(({ message }) => message)).toEqual(["file.yaml:3: demo: from is after to; the default is used"]);
  expect(resolve({ ...range, security: true }, { file: { from: 9 } }).errors).toHaveLength(1);
});

const entry = fc.record(
  {
    id: fc.constantFrom("a", "b", "c", "d"),
    type: fc.constantFrom("a", "b"),
    base_url: fc.constantFrom("", "http://x", "http://y"),
    label: fc.constantFrom("", "one", "two"),
  },
  { requiredKeys: ["id"] },
);
const block = fc.option(fc.uniqueArray(entry, { selector: ({ id }) => id }), { nil: undefined });

test("property: connections merge by id field by field, blanks replace, an explicit empty list stays empty (providers 1 and 3)", () => {
  fc.assert(
    fc.property(block, block, fc.dictionary(fc.constantFrom("a", "b"), fc.constant("key")), (host, file, keys) => {
      const { value, layerOf } = resolve(connections, {
        ...(host && { host }),
        ...(file && { file }),
        ...(Object.keys(keys).length > 0 && { secrets: keys }),
      });
      if (host === undefined && file === undefined) {
        expect(value).toBeUndefined();
        return;
      }
      const inherited = file?.length === 0 ? [] : (host ?? []);
      const ids = [...new Set([...inherited, ...(file ?? [])].map(({ id }) => id))];
      expect(value).toEqual(
        ids.map((id) => ({
          ...{ type: "a", base_url: "", label: "" },
          ...inherited.find((one) => one.id === id),
          ...file?.find((one) => one.id === id),
          api_key: keys[id] ?? "",
        })),
      );
      for (const one of file ?? []) if (one.label !== undefined) expect(layerOf(`${one.id}.label`)).toBe("file");
      for (const id of ids) if (keys[id]) expect(layerOf(`${id}.api_key`)).toBe("secrets");
    }),
    { numRuns: 300 },
  );
});

test("a key never comes from the host layer, nor from any variable (providers 1 and 2, Secrets 2)", () => {
  const { value, warnings } = resolve(connections, {
    host: [{ id: "a", base_url: "http://x", api_key: "hunter2" }],
    env: { MODEL_API_KEY: "hunter2", TOKEN: "hunter2" },
  });
  expect(value).toEqual([{ id: "a", type: "a", base_url: "http://x", label: "", api_key: "" }]);
  expect(warnings.map(({ code, key }) => [code, key])).toEqual([["misplaced-secret", "providers.a.api_key"]]);
});

test("the overlay's key beats one in the live file; a key without a connection is reported", () => {
  const { value, warnings } = resolve(connections, {
    file: [
      { id: "a", api_key: "inline" },
      { id: "b", api_key: "inline" },
    ],
    secrets: { a: "overlay", zz: "lost", b: "" },
  });
  expect((value as { api_key: string }[]).map(({ api_key }) => api_key)).toEqual(["overlay", "inline"]);
  expect(warnings.map(({ message }) => message)).toEqual([
    "secrets.yaml:3: providers.zz: no entry of providers has this id, ignored",
  ]);
});

test("an entry that cannot be used is left out alone; a wrong field of one that can takes its default", () => {
  const { value, warnings } = resolve(connections, {
    file: `providers:
  - id: good
    label: 5
  - base_url: http://x
  - id: Bad Id
  - just text
  - id: good
  - id: odd
    type: z
`,
  });
  expect(value).toEqual([{ id: "good", type: "a", base_url: "", label: "", api_key: "" }]);
  expect(warnings.map(({ message }) => message)).toEqual([
    "file.yaml:3: providers.good.label: expected string, got 5; the default is used",
    "file.yaml:4: providers.1: id is missing; the entry is left out",
    expect.stringMatching(/^file\.yaml:5: providers\.2: id: expected .*; the entry is left out$/),
    "file.yaml:6: providers.3: id is missing; the entry is left out",
    "file.yaml:7: providers.good: id stands twice in this list; the entry is left out",
    expect.stringMatching(/^file\.yaml:9: providers\.odd\.type: expected .*, got "z"; the default is used$/),
    "file.yaml:8: providers.odd: type is wrong; the entry is left out",
  ]);
});

test("a list that is no list, or is null, counts as absent", () => {
  expect(resolve(connections, { file: "providers:\n" })).toMatchObject({ value: undefined, warnings: [] });
  expect(resolve(connections, { file: "providers: {a: 1}\n" })).toMatchObject({
    value: undefined,
    warnings: [{ message: "file.yaml:1: providers: expected a list; the default is used" }],
  });
});
