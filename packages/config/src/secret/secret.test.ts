import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConfigProblem } from "../problem/index.ts";
import type { Section } from "../section/index.ts";
import { toValue } from "../yaml-file/index.ts";
import { readOverlay } from "./read-overlay.ts";
import { secretValues } from "./secret-values.ts";
import { writeOverlay } from "./write-overlay.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "overlay-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(file: string) {
  const found: ConfigProblem[] = [];
  const root = readOverlay(file, { error: (p) => found.push(p), warn: (p) => found.push(p) });
  return { value: root && toValue(root), found };
}

test("what is written can be read back and belongs to its owner only (B70 rule 1)", () => {
  const file = join(folder, "config", "secrets.yaml");
  const content = { auth: { token: "no: 'plain' yaml #" }, providers: { local: "off", sub: { access_token: "0x10" } } };
  writeOverlay(file, content);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(read(file)).toEqual({ value: content, found: [] });
});

test("an absent overlay is normal", () => {
  expect(read(join(folder, "secrets.yaml"))).toEqual({ value: undefined, found: [] });
});

test("an overlay that others can read is used, and reported without its content", () => {
  const file = join(folder, "secrets.yaml");
  writeFileSync(file, "auth: {token: hunter2}");
  chmodSync(file, 0o640);
  const { value, found } = read(file);
  expect(value).toEqual({ auth: { token: "hunter2" } });
  expect(found.map(({ code }) => code)).toEqual(["open-permissions"]);
  expect(found[0]?.message).toBe(`${file}: other users can read it (mode 640); run: chmod 600 ${file}`);
});

test("rewriting closes permissions that were open", () => {
  const file = join(folder, "secrets.yaml");
  writeFileSync(file, "{}");
  chmodSync(file, 0o666);
  writeOverlay(file, { auth: { token: "t" } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toBe("auth:\n  token: t\n");
});

test("every secret text of a section is found for the redactor, addresses are not", () => {
  const section = (secrets: string[]): Section => ({
    name: "demo",
    description: "",
    schema: v.object({}),
    fields: {},
    secrets,
  });
  expect(secretValues(section(["token", "deep.key"]), { token: "a", deep: { key: "b" }, other: "c" })).toEqual([
    "a",
    "b",
  ]);
  const entries = [
    { api_key: "k1" },
    { api_key: "" },
    { api_key: { access_token: "t", token_endpoint: "https://x.test/t" } },
  ];
  expect(secretValues(section(["api_key"]), entries)).toEqual(["k1", "t"]);
  expect(secretValues(section(["token"]), undefined)).toEqual([]);
});
