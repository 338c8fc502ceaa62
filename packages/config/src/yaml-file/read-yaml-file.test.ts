import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ConfigProblem } from "../problem/index.ts";
import { readYamlFile } from "./read-yaml-file.ts";
import { toValue } from "./yaml-node.ts";

const folder = mkdtempSync(join(tmpdir(), "read-yaml-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string) {
  const errors: ConfigProblem[] = [];
  const root = readYamlFile(join(folder, name), "file", { error: (e) => errors.push(e), warn: () => {} });
  return { value: root && toValue(root), errors: errors.map(({ code, message }) => [code, message]) };
}

test("a file that does not exist sets nothing and is no problem", () => {
  expect(read("absent.yaml")).toEqual({ value: undefined, errors: [] });
});

test("a byte order mark is no part of the first key", () => {
  writeFileSync(join(folder, "bom.yaml"), "\ufeffa: 1");
  expect(read("bom.yaml")).toEqual({ value: { a: 1 }, errors: [] });
});

test("broken YAML is one line with file and line", () => {
  const file = join(folder, "broken.yaml");
  writeFileSync(file, "model:\n  name: [a\nauth: {}\n");
  const { errors } = read("broken.yaml");
  expect(errors).toHaveLength(1);
  expect(errors[0]?.[0]).toBe("syntax");
  expect(errors[0]?.[1]).toMatch(new RegExp(`^${file}:\\d+: \\S`));
  expect(errors[0]?.[1]).not.toContain("\n");
});

test("what is no readable text file is refused with its reason", () => {
  mkdirSync(join(folder, "folder.yaml"));
  writeFileSync(join(folder, "large.yaml"), `a: "${"x".repeat(1024 * 1024)}"`);
  writeFileSync(join(folder, "latin.yaml"), Buffer.from([0x61, 0x3a, 0x20, 0xe4]));
  for (const [name, reason] of [
    ["folder.yaml", "is not a file"],
    ["large.yaml", "is larger than 1024 KiB"],
    ["latin.yaml", "is not UTF-8 text"],
    ["large.yaml/below.yaml", "cannot be read (ENOTDIR)"],
  ] as const)
    expect(read(name)).toEqual({ value: undefined, errors: [["unreadable", `${join(folder, name)}: ${reason}`]] });
});
