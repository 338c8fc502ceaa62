import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startBusyLoops } from "./busy-loops.ts";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("busy loops compute until they are disposed of, and have ended then", async () => {
  const loops = await startBusyLoops(2);
  expect(loops.pids.map(isAlive)).toEqual([true, true]);
  await loops[Symbol.asyncDispose]();
  expect(loops.pids.map(isAlive)).toEqual([false, false]);
});

test("busy loops end with a process that is killed before it could end them", async () => {
  const module = new URL("./busy-loops.ts", import.meta.url).href;
  const program = `const { startBusyLoops } = await import(${JSON.stringify(module)});
    console.log((await startBusyLoops(1)).pids.join());`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  // Its standard error, which the loop inherited, is closed only once the loop ended too.
  await once(child.stderr.resume(), "close");
  expect(child.signalCode).toBe("SIGKILL");
});
