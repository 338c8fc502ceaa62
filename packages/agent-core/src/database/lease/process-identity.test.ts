import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { hasSurelyEnded, ownIdentity } from "./process-identity.ts";

test("tells a process that runs from one that ended", async () => {
  const self = ownIdentity();
  expect(hasSurelyEnded(self, self)).toBe(false);
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  const { pid } = child;
  await once(child, "exit");
  expect(hasSurelyEnded({ ...self, pid: pid!, started: "" }, self)).toBe(true);
});

test("of another boot, or where the boot is not known, nothing is sure", async () => {
  const self = ownIdentity();
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  const ended = { ...self, pid: child.pid!, started: "" };
  expect(hasSurelyEnded({ ...ended, boot: "another" }, self)).toBe(false);
  expect(hasSurelyEnded({ ...ended, boot: "" }, { ...self, boot: "" })).toBe(false);
});

test("a process of another user runs, and one that took the number of an older one is not it", () => {
  const self = ownIdentity();
  expect(hasSurelyEnded({ ...self, pid: 1, started: "" }, self)).toBe(false);
  expect(hasSurelyEnded({ ...self, started: `${self.started}0` }, self)).toBe(self.started !== "");
  expect(hasSurelyEnded({ ...self, started: "" }, self)).toBe(false);
});
