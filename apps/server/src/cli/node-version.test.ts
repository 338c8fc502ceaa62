import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { nodeProblem } from "./node-version.ts";

it("a Node that is too old is named, with the one that is needed", () => {
  expect(nodeProblem("20.20.2")).toBe("agent-service needs Node 22.22 or newer, and this is 20.20.2.");
  const isTaken = (version: string): boolean => nodeProblem(version) === undefined;
  expect(["22.21.9", "22.22.0", "24.11.0", "26.0.0"].map(isTaken)).toEqual([false, true, true, true]);
  expect(isTaken(process.versions.node)).toBe(true);
});

it("the oldest one is that of the package", () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect((JSON.parse(manifest) as { engines: { node: string } }).engines.node).toMatch(/^\^22\.22 /);
});
