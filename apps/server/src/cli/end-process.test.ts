import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

const MODULE = new URL("./end-process.ts", import.meta.url).href;

/** How a process ends that calls `endProcess(3)` while a thread of it does some work. */
async function endOf(work: string): Promise<unknown> {
  const thread = `
    require("node:worker_threads").parentPort.postMessage("begun");
    ${work}`;
  const program = `
    import { Worker } from "node:worker_threads";
    import { endProcess } from ${JSON.stringify(MODULE)};
    new Worker(${JSON.stringify(thread)}, { eval: true, execArgv: [] }).on("message", () => setTimeout(() => endProcess(3, 300), 50));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "ignore" });
  const [code, signal] = await once(child, "exit");
  return code ?? signal;
}

it("ends with the code it is given", async () => {
  expect(await endOf("setInterval(() => {}, 1000);")).toBe(3);
});

it("ends also while a thread works on a statement that takes minutes", async () => {
  const count =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e10) SELECT count(*) FROM n";
  expect(await endOf(`new (require("node:sqlite").DatabaseSync)(":memory:").prepare("${count}").get();`)).toBe(
    "SIGKILL",
  );
});
