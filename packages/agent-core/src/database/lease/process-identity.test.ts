import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isSurelyGone, ownIdentity } from "./process-identity.ts";

test("a process that runs is not gone, and one that ended is", async () => {
  const self = ownIdentity();
  expect(isSurelyGone(self, self)).toBe(false);
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  const { pid } = child;
  await once(child, "exit");
  expect(isSurelyGone({ ...self, pid: pid!, started: "" }, self)).toBe(true);
});

test("of another boot, or where the boot is not known, nothing is sure", async () => {
  const self = ownIdentity();
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  const gone = { ...self, pid: child.pid!, started: "" };
  expect(isSurelyGone({ ...gone, boot: "another" }, self)).toBe(false);
  expect(isSurelyGone({ ...gone, boot: "" }, { ...self, boot: "" })).toBe(false);
});

test("a process of another user runs, and one that took the number of an older one is not it", () => {
  const self = ownIdentity();
  expect(isSurelyGone({ ...self, pid: 1, started: "" }, self)).toBe(false);
  expect(isSurelyGone({ ...self, started: `${self.started}0` }, self)).toBe(self.started !== "");
  expect(isSurelyGone({ ...self, started: "" }, self)).toBe(false);
});
