import { expect, it } from "vitest";
import { LogRing } from "./index.ts";

const line = (msg: string) => ({ time: "t", level: "INFO" as const, msg, at: 1 });

it("keeps the newest lines, as many as it may", () => {
  const ring = new LogRing(3);
  for (let n = 0; n < 100; n++) ring.add(line(`line ${n}`));
  expect(ring.tail(2)).toEqual({ records: [line("line 98"), line("line 99")], cut: false });
  expect(ring.tail(1_000).records.map(({ msg }) => msg)).toEqual(["line 97", "line 98", "line 99"]);
  expect(ring.size).toBeLessThan(7);
});

it("bounds a line, an answer and the whole", () => {
  const ring = new LogRing(50_000);
  for (let n = 0; n < 1_500; n++) ring.add(line("x".repeat(15_000)));
  expect(ring.size).toBeLessThan(1_200);
  const { records, cut } = ring.tail(1_000);
  expect([cut, records.length]).toEqual([true, 69]);
  ring.add(line("y".repeat(100_000)));
  const [last] = ring.tail(1).records;
  expect(last!.msg).toMatch(/^y+\[… cut: the line had \d+ characters\]$/);
  expect(last!.msg.length).toBeLessThan(9_000);
});
