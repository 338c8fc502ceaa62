import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

const { signal } = new AbortController();
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Places, and who got one, in order. */
function slotsOf(size: number) {
  const slots = new Slots(size);
  const inside: string[] = [];
  const take = (name: string, by = "operator", until = signal): Promise<void> =>
    slots.take(by, until).then(() => void inside.push(name));
  return { slots, inside, take };
}

test("half of the places are the most that peers get, and the operator goes first", async () => {
  const { slots, inside, take } = slotsOf(4);
  for (const name of ["p1", "p2", "p3", "p4"]) void take(name, "federation");
  for (const name of ["o1", "o2", "o3"]) void take(name);
  await settle();
  expect(inside).toEqual(["p1", "p2", "o1", "o2"]);
  slots.leave("federation");
  await settle();
  expect(inside.slice(4)).toEqual(["o3"]);
  slots.leave("operator");
  await settle();
  expect(inside.slice(5)).toEqual(["p3"]);
});

test("who gives up waiting takes no place", async () => {
  const { slots, inside, take } = slotsOf(2);
  const abort = new AbortController();
  await Promise.all([take("1"), take("2")]);
  const gone = take("gone", "operator", abort.signal);
  void take("3");
  abort.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  slots.leave("operator");
  await settle();
  expect(inside).toEqual(["1", "2", "3"]);
});
