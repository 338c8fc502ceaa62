import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

const { signal } = new AbortController();
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Slots, and the names of those that acquired one, in order. */
function slotsOf(size: number) {
  const slots = new Slots(size);
  const inside: string[] = [];
  const take = (name: string, by = "operator", until = signal): Promise<void> =>
    slots.acquire(by, until).then(() => void inside.push(name));
  return { slots, inside, take };
}

test("peers get at most half of the slots, and the operator goes first", async () => {
  const { slots, inside, take } = slotsOf(4);
  for (const name of ["p1", "p2", "p3", "p4"]) void take(name, "federation");
  for (const name of ["o1", "o2", "o3"]) void take(name);
  await settle();
  expect(inside).toEqual(["p1", "p2", "o1", "o2"]);
  slots.release("federation");
  await settle();
  expect(inside.slice(4)).toEqual(["o3"]);
  slots.release("operator");
  await settle();
  expect(inside.slice(5)).toEqual(["p3"]);
});

test("a canceled wait takes no slot", async () => {
  const { slots, inside, take } = slotsOf(2);
  const abort = new AbortController();
  await Promise.all([take("1"), take("2")]);
  const gone = take("gone", "operator", abort.signal);
  void take("3");
  abort.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  slots.release("operator");
  await settle();
  expect(inside).toEqual(["1", "2", "3"]);
});
