import { expect, it } from "vitest";
import { ProcessQueue } from "./process-queue.ts";

it("gives places in the order of asking, and none to who left (F30)", async () => {
  const queue = new ProcessQueue(1);
  const first = await queue.enter(undefined);
  const entered: string[] = [];
  const impatient = new AbortController();
  const second = queue.enter(impatient.signal);
  const third = queue.enter(undefined).then((leave) => {
    entered.push("third");
    return leave;
  });
  impatient.abort(new Error("no longer wanted"));
  await expect(second).rejects.toThrow("no longer wanted");
  first();
  first();
  (await third)();
  const fourth = await queue.enter(undefined);
  expect(entered).toEqual(["third"]);
  fourth();
  await expect(queue.enter(AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
});
