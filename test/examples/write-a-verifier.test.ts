import { expect, test } from "vitest";
import { run } from "../process/run.ts";

const root = new URL("../..", import.meta.url).pathname;

test("the example of a verifier and its test runs as in its README", async () => {
  const script = "examples/write-a-verifier/main.ts";
  const finished = await run(process.execPath, ["--conditions=@agent-service/source", script], { cwd: root });
  expect(finished).toEqual({ code: 0, output: "The newest backup is 30 hours old.\n" });
});
