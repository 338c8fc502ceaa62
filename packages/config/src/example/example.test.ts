import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Section, SettingMetadata } from "../section/index.ts";
import { parseYaml, toValue } from "../yaml-file/index.ts";
import { installExample } from "./install-example.ts";
import { renderExample } from "./render-example.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "example-"));
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

const field = (description: string, more: Partial<SettingMetadata> = {}): SettingMetadata => ({
  label: "L",
  type: "string",
  description,
  ...more,
});

const cache: Section = {
  name: "cache",
  description: "The cache.",
  schema: v.object({
    ttl: v.optional(v.picklist(["5m", "1h"]), "5m"),
    size: v.optional(v.number(), 3),
    note: v.optional(v.string(), "off: # 'quoted'"),
    warm: v.optional(
      v.object({ enabled: v.optional(v.boolean(), false), tags: v.optional(v.array(v.string()), ["a"]) }),
      {},
    ),
    cap: v.optional(v.number()),
  }),
  variables: { ttl: { variable: "CACHE_TTL", mode: "override" } },
  fields: {
    ttl: field("How long.", { options: ["5m", "1h"] }),
    size: field("How many.", { minimum: 0, maximum: 9, restart: true }),
    note: field("Text."),
    "warm.enabled": field("Whether to warm."),
    "warm.tags": field("Which."),
    cap: field("Bound."),
  },
};

const list: Section = {
  name: "providers",
  description: "Connections.",
  schema: v.optional(v.array(v.object({ id: v.string(), key: v.optional(v.string(), "") }))),
  merge_by: "id",
  secrets: ["key"],
  fields: { id: field("The id."), key: field("The key.", { type: "secret" }) },
  example: "providers:\n  - id: one",
};

test("the example explains every key and sets none", () => {
  expect(renderExample([cache, list]).split("\n").slice(4)).toEqual(
    `## The cache.
cache:
  ## How long. One of: 5m, 1h. CACHE_TTL overrides it.
  # ttl: 5m
  ## How many. From 0 to 9. Needs a restart.
  # size: 3
  ## Text.
  # note: "off: # 'quoted'"
  warm:
    ## Whether to warm.
    # enabled: false
    ## Which.
    # tags: [ a ]
  ## Bound. Unset by default.
  # cap:

## Connections.
# providers:
  ## id: The id.
  ## key: The key. Secret.
  ## For example:
  ##   providers:
  ##     - id: one
`.split("\n"),
  );
});

const read = (text: string) => {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new Error(`${parsed.line}: ${parsed.reason}`);
  return toValue(parsed.root);
};

test("as it is the example sets nothing; uncommented it sets exactly the defaults", () => {
  const text = renderExample([cache, list]);
  expect(read(text)).toEqual({ cache: { warm: null } });
  expect(read(text.replace(/^( *)# /gm, "$1"))).toEqual({
    cache: { ttl: "5m", size: 3, note: "off: # 'quoted'", warm: { enabled: false, tags: ["a"] }, cap: null },
    providers: null,
  });
});

test("no line is wider than a screen", () => {
  const wide: Section = { ...cache, description: "word ".repeat(200), fields: { ttl: field("other ".repeat(90)) } };
  for (const line of renderExample([wide]).split("\n")) expect(line.length).toBeLessThanOrEqual(110);
});

test("the first run puts the example in place, readable by its owner only; later runs never touch it", () => {
  const file = join(folder, "deep", "config", "agent-config.yaml");
  expect(installExample(file, "first")).toBe("created");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, "edited");
  expect(installExample(file, "second")).toBe("kept");
  expect(readFileSync(file, "utf8")).toBe("edited");
  expect(readdirSync(join(folder, "deep", "config"))).toEqual(["agent-config.yaml"]);
});

test("a folder that may not be written is managed, not an error (O6)", () => {
  const closed = join(folder, "closed");
  mkdirSync(closed, { mode: 0o555 });
  chmodSync(folder, 0o755);
  // Root may write anywhere, so a process of root gives its rights away first.
  const script = `
    import { installExample } from ${JSON.stringify(new URL("install-example.ts", import.meta.url).href)};
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    process.stdout.write(installExample(${JSON.stringify(join(closed, "agent-config.yaml"))}, "text"));
  `;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect([run.stdout, run.status]).toEqual(["managed", 0]);
  expect(readdirSync(closed)).toEqual([]);
});

test("a path that cannot be a file is thrown as it is", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => installExample(join(folder, "file", "agent-config.yaml"), "text")).toThrow(/ENOTDIR|EEXIST/);
});
