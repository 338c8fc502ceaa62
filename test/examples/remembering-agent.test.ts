import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../process/run.ts";

const root = new URL("../..", import.meta.url).pathname;

test("the embedded agent recalls in one conversation what was said in another, as its README shows", async () => {
  const args = ["--conditions=@agent-service/source", "examples/remembering-agent/main.ts"];
  const { code, output } = await run(process.execPath, args, { cwd: root });
  const shown = readFileSync(`${root}examples/remembering-agent/README.md`, "utf8").split("prints\n\n")[1] ?? "";
  expect([code, output.trimEnd().split("\n")]).toEqual([
    0,
    shown
      .split("\n\n")[0]
      ?.split("\n")
      .map((line) => line.slice(4)),
  ]);
});
