import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { call, caller, callsOf, coreBench, countedTool } from "../../core-bench.ts";
import { noteValue } from "./call-note.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

test("a note of a call whose turn was cancelled while a person was asked stays: what the call began elsewhere is ended by it", async () => {
  const { tool } = countedTool("dig", {
    run: async (_, context) => {
      await context.keep({ job: 1 });
      return park.question("Sure?");
    },
    resume: () => "dug",
  });
  const core = await bench.start({ model: caller([call("dig")]), tools: [tool] });
  const task = await core.tasks.start({ text: "dig" });
  await task.settled();
  await core.tasks.cancel(task.id);
  expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "aborted" }]);
  const [[note] = []] = await core.db.read({ sql: "SELECT note FROM call WHERE task = ?", args: [task.id] });
  expect(noteValue(String(note))).toEqual({ job: 1 });
});
