import { expect, test } from "vitest";
import { checkLedger } from "./schedule/ledger-check.ts";
import { randomOf } from "./schedule/random.ts";
import { proveSchedule } from "./schedule/run-schedule.ts";

test("over five days with a change of clocks, restarts and jumps, every slot is in the ledger once (CR1, CR2, CR3)", async () => {
  const from = Date.UTC(2026, 2, 27);
  const proof = { from, to: from + 5 * 86_400_000, jobs: 8, restarts: 9, random: randomOf(7) };
  const { problems, restarts, slots, ran } = await proveSchedule(proof);
  expect(problems).toEqual([]);
  expect(restarts).toBeGreaterThan(4);
  expect(slots).toBeGreaterThan(50);
  expect(ran).toBeGreaterThan(slots / 3);
});

test("a slot that is missing, doubled, made up or miscounted is found", () => {
  const row = { job: "a", slot: 10, attempt: 1, state: "completed", upto: undefined, missed: undefined };
  const counts = () => ({ slots: 0, ran: 0, missed: 0, skipped: 0 });
  const check = (rows: Parameters<typeof checkLedger>[0]) => checkLedger(rows, [10, 20], counts()).length;
  expect(check([row, { ...row, slot: 20 }, { ...row, slot: 20, attempt: 2 }])).toBe(0);
  expect(check([{ ...row, state: "missed", upto: 20, missed: 2 }])).toBe(0);
  expect(check([row])).toBe(1);
  expect(check([row, row, { ...row, slot: 20 }])).toBe(1);
  expect(check([row, { ...row, slot: 20 }, { ...row, slot: 15 }])).toBe(1);
  expect(check([{ ...row, state: "missed", upto: 20, missed: 1 }])).toBe(1);
  expect(check([row, { ...row, slot: 20, state: "running" }])).toBe(1);
});
