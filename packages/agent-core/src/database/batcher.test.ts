import { expect, test } from "vitest";
import { Batcher, type BatcherBounds, type BatchResults } from "./batcher.ts";
import { DatabaseError } from "./database-error.ts";

const bounds: BatcherBounds = { batchItems: 4, batchBytes: 100, waitingItems: 10, waitingBytes: 1000 };

/** A sender that answers on demand, and what it was sent. */
function heldSender() {
  const sent: number[][] = [];
  const answers: { resolve(results: BatchResults<number>): void; reject(error: Error): void }[] = [];
  const watchers: (() => void)[] = [];
  const send = (items: readonly number[]): Promise<BatchResults<number>> => {
    sent.push([...items]);
    return new Promise((resolve, reject) => {
      answers.push({ resolve, reject });
      for (const watch of watchers.splice(0)) watch();
    });
  };
  const next = async () => {
    if (answers.length === 0) await new Promise<void>((resolve) => watchers.push(resolve));
    return answers.shift()!;
  };
  return { sent, send, next };
}

test("what arrives while a batch is on its way goes out together, in order, bounded (BA1)", async () => {
  const { sent, send, next } = heldSender();
  const batcher = new Batcher<number, number>(bounds, send);
  const results = [1, 2, 3, 4, 5, 6].map((item) => batcher.add(item, 1));
  (await next()).resolve([10, 20, 30, 40]);
  const late = batcher.add(7, 1);
  (await next()).resolve([50, 60, 70]);
  expect(await Promise.all([...results, late])).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(sent).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7],
  ]);
  await batcher.idle();
});

test("a batch ends where its bytes are enough, but takes one item however large", async () => {
  const { sent, send, next } = heldSender();
  const batcher = new Batcher<number, number>(bounds, send);
  const all = Promise.all([batcher.add(1, 500), batcher.add(2, 60), batcher.add(3, 60)]);
  for (let i = 0; i < 3; i += 1) (await next()).resolve([i]);
  await all;
  expect(sent).toEqual([[1], [2], [3]]);
});

test("an item beyond the bounds is refused and the others continue (BA3)", async () => {
  const { send, next } = heldSender();
  const batcher = new Batcher<number, number>(bounds, send);
  const first = batcher.add(0, 1);
  const answer = await next();
  const waiting = Array.from({ length: 10 }, (_, i) => batcher.add(i, 1));
  await expect(batcher.add(99, 1)).rejects.toMatchObject({ code: "overloaded" });
  answer.resolve([1]);
  for (let left = 10; left > 0; left -= 4) (await next()).resolve([2, 2, 2, 2]);
  expect(await first).toBe(1);
  expect(await Promise.all(waiting)).toHaveLength(10);
  await expect(batcher.add(1, 2000)).rejects.toMatchObject({ code: "overloaded" });
});

test("a failing sender rejects its batch alone; an item's own error rejects the item alone (BA2)", async () => {
  const { send, next } = heldSender();
  const batcher = new Batcher<number, number>(bounds, send);
  const failed = batcher.add(1, 1);
  (await next()).reject(new Error("torn"));
  await expect(failed).rejects.toMatchObject({ code: "unwritable", message: expect.stringContaining("torn") });
  const pair = [batcher.add(2, 1), batcher.add(3, 1)];
  (await next()).resolve([new DatabaseError("constraint", "no"), 30]);
  await expect(pair[0]).rejects.toMatchObject({ code: "constraint" });
  expect(await pair[1]).toBe(30);
});

test("after a stop nothing is accepted, and what waited is settled either way (BA2)", async () => {
  const { send, next } = heldSender();
  const batcher = new Batcher<number, number>(bounds, send);
  const sent = batcher.add(1, 1);
  const answer = await next();
  const waiting = batcher.add(2, 1);
  batcher.stop(new DatabaseError("lease_lost", "lost"), true);
  await expect(waiting).rejects.toMatchObject({ code: "lease_lost" });
  await expect(batcher.add(3, 1)).rejects.toMatchObject({ code: "lease_lost" });
  answer.resolve([7]);
  expect(await sent).toBe(7);
  await batcher.idle();
});
