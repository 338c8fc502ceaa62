import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { EXIT } from "./exit-code.ts";

const MODULE = new URL("./process-io.ts", import.meta.url).href;

/** A process that has `io`; resolves with the code it ends with. `type` is typed once it has asked. */
async function ended(script: string, { type, stdout = "pipe" }: { type?: string; stdout?: number | "pipe" }) {
  const source = `const { processIo } = await import(${JSON.stringify(MODULE)});\n${script}`;
  const args = ["--conditions=@agent-service/source", "--input-type=module", "-e", source];
  const child = spawn(process.execPath, args, { stdio: ["pipe", stdout, "inherit"] });
  child.stdout?.once("data", () => void child.stdin?.write(type ?? ""));
  const [code] = await once(child, "close");
  return code as number;
}

test("Ctrl-C ends the process where no handler is set", async () => {
  const terminal = "process.stdin.isTTY = process.stdout.isTTY = true;\n";
  const asking = `${terminal}await processIo({}, undefined).keyboard().ask("Key: ", { hidden: true });\nprocess.exit(0);`;
  expect(await ended(asking, { type: "\u0003" })).toBe(EXIT.interrupted);
  expect(await ended(asking, { type: "key\n" })).toBe(0);
});

test("a command whose output could not be written has failed", async () => {
  const saying = `processIo({}, undefined).stdout.write("words");\nprocess.exit(0);`;
  const readOnly = openSync(fileURLToPath(import.meta.url), "r");
  try {
    expect(await ended(saying, { stdout: readOnly })).toBe(EXIT.failed);
  } finally {
    closeSync(readOnly);
  }
  expect(await ended(saying, {})).toBe(0);
});
