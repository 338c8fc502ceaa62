import { expect, test } from "vitest";
import { createBypass } from "./bypass.ts";

function storageOf(stored: Map<string, string>) {
  return () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
}

test("approvals are bypassed in the conversations in which that is switched on, and over a reload", () => {
  const stored = new Map<string, string>();
  const bypass = createBypass(storageOf(stored));
  let changes = 0;
  const stop = bypass.subscribe(() => changes++);
  bypass.set("a", true);
  bypass.set("a", true);
  bypass.set("new", true);
  bypass.rename("new", "b");
  bypass.rename("c", "d");
  expect(["a", "b", "new", "d"].map((one) => bypass.isOn(one))).toEqual([true, true, false, false]);
  expect(changes).toBe(3);
  const reloaded = createBypass(storageOf(stored));
  expect(reloaded.isOn("b")).toBe(true);
  stop();
  bypass.set("a", false);
  expect(changes).toBe(3);
  expect(createBypass(storageOf(stored)).isOn("a")).toBe(false);
});

test("what is stored and cannot be read bypasses nothing, and refused storage lasts as long as the page", () => {
  expect(createBypass(storageOf(new Map([["agent-service.bypassed", "{"]]))).isOn("a")).toBe(false);
  expect(createBypass(storageOf(new Map([["agent-service.bypassed", '{"a":true}']]))).isOn("a")).toBe(false);
  const refused = createBypass(() => {
    throw new DOMException("refused", "SecurityError");
  });
  refused.set("a", true);
  expect(refused.isOn("a")).toBe(true);
});

test("at most 50 conversations are bypassed: the oldest asks again", () => {
  const bypass = createBypass(storageOf(new Map()));
  for (let no = 0; no <= 50; no++) bypass.set(`c${no}`, true);
  expect([bypass.isOn("c0"), bypass.isOn("c1"), bypass.isOn("c50")]).toEqual([false, true, true]);
});
