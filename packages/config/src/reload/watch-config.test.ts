import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type WatchTimers, watchConfig } from "./watch-config.ts";

let folder: string;
let stop: () => void = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "watch-"));
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true });
});

/** Timers that the test runs. */
function manualTimers() {
  let next = 0;
  let now = 0;
  const due = new Map<number, { at: number; run: () => void }>();
  const timers: WatchTimers = {
    setTimeout(run, ms) {
      const id = next++;
      due.set(id, { at: now + ms, run });
      return { cancel: () => void due.delete(id) };
    },
  };
  const advance = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const [first] = [...due].filter(([, { at }]) => at <= end).toSorted(([, a], [, b]) => a.at - b.at);
      if (first === undefined) break;
      now = first[1].at;
      due.delete(first[0]);
      first[1].run();
    }
    now = end;
  };
  return { timers, advance, pending: () => due.size };
}

/** Without events of the file system, which come at times of their own: an unwatchable folder leaves only the polling. */
function watched(file = join(folder, "agent-config.yaml"), busyFolders: readonly string[] = []) {
  const clock = manualTimers();
  let changes = 0;
  stop = watchConfig({ files: [file], timers: clock.timers, onChange: () => (changes += 1), busyFolders });
  return { file, clock, changes: () => changes };
}

test("a replaced file is noticed by itself, through the system", async () => {
  const file = join(folder, "agent-config.yaml");
  writeFileSync(file, "a: 1");
  const real: WatchTimers = {
    setTimeout(run, ms) {
      const timer = setTimeout(run, ms);
      return { cancel: () => clearTimeout(timer) };
    },
  };
  await new Promise<void>((resolve) => {
    stop = watchConfig({ files: [file], timers: real, onChange: resolve, quietMs: 5, pollMs: 60_000 });
    writeFileSync(join(folder, "new"), "a: 2");
    renameSync(join(folder, "new"), file);
  });
});

test("polling finds changes without a file system event, a file that appears and one that is removed included", () => {
  const { file, clock, changes } = watched();
  clock.advance(6_000);
  expect(changes()).toBe(0);
  writeFileSync(file, "a: 1");
  clock.advance(6_000);
  expect(changes()).toBe(1);
  clock.advance(60_000);
  expect(changes()).toBe(1);
  rmSync(file);
  clock.advance(6_000);
  expect(changes()).toBe(2);
});

test("of a busy folder only the files themselves wake the watcher, also after they were replaced", async () => {
  const file = join(folder, "host-config.yaml");
  writeFileSync(file, "a: 1");
  const { clock, changes } = watched(file, [folder]);
  /** Does something and waits until its file system event has come. */
  const settled = async (act: () => void): Promise<void> => {
    const other = watch(folder);
    const event = once(other, "change");
    act();
    await event;
    other.close();
  };
  await settled(() => writeFileSync(join(folder, "store"), "rows"));
  expect(clock.pending()).toBe(1);
  for (const [at, text] of ["a: 22", "a: 333", "a: 4444"].entries()) {
    await settled(() => {
      writeFileSync(join(folder, "new"), text);
      renameSync(join(folder, "new"), file);
    });
    await expect.poll(() => clock.pending()).toBe(2);
    clock.advance(200);
    expect(changes()).toBe(at + 1);
  }
});

test("many writes within the quiet time are one change", () => {
  const { file, clock, changes } = watched();
  clock.advance(4_999);
  writeFileSync(file, "a: 1");
  clock.advance(150);
  writeFileSync(file, "a: 22");
  expect(changes()).toBe(0);
  clock.advance(10_000);
  expect(changes()).toBe(1);
});

test("a folder that does not exist is no error, and ending it leaves no timer", () => {
  const { clock } = watched(join(folder, "not", "there.yaml"));
  clock.advance(10_000);
  stop();
  expect(clock.pending()).toBe(0);
});
