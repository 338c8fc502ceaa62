import { expect, test } from "vitest";
import { run } from "../process/run.ts";

const root = new URL("../..", import.meta.url).pathname;

test("the example of a tool and its test runs as in its README", async () => {
  const script = "examples/write-a-tool/main.ts";
  const finished = await run(process.execPath, ["--conditions=@agent-service/source", script], { cwd: root });
  expect(finished).toEqual({ code: 0, output: "Refunded order 7: refund of order 7, number 1\n" });
});
