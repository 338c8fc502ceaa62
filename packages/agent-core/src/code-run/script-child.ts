/**
 * The process of one script: reads a start and outcomes from its input, writes what the script does to its output, and
 * ends with its input, so that it outlives no service. Node runs it without rights (`--permission`) and without an
 * environment; what is in reach of the script is in `script-prelude.ts`.
 */
import { createInterface } from "node:readline";
import {
  MAX_PRINTED_CHARS,
  MAX_VALUE_CHARS,
  type ScriptFrame,
  type ScriptResult,
  type ScriptStart,
} from "./script-frames.ts";
import { type MachineHost, type ScriptMachine, startScript } from "./script-machine.ts";

function say(frame: ScriptFrame): void {
  process.stdout.write(`${JSON.stringify(frame)}\n`);
}

function hostOf(service: number): MachineHost {
  let printed = 0;
  return {
    call: (id, name, args) => say({ t: "call", id, name, args }),
    print(text) {
      const rest = MAX_PRINTED_CHARS - printed;
      printed += text.length + 1;
      if (rest > 0) say({ t: "print", text: text.slice(0, rest) });
    },
    done: (text) => say({ t: "done", text: text.slice(0, MAX_VALUE_CHARS) }),
    failed: (text) => say({ t: "failed", text: text.slice(0, MAX_VALUE_CHARS) }),
    // A script that computes without end does not see its input end.
    interrupted() {
      if (process.ppid !== service) process.exit(1);
      return false;
    },
  };
}

function listen(host: MachineHost): void {
  let machine: Promise<ScriptMachine> | undefined;
  const read = async (line: string): Promise<void> => {
    if (machine === undefined) {
      machine = startScript(JSON.parse(line) as ScriptStart, host);
      await machine;
    } else {
      (await machine).settle(JSON.parse(line) as ScriptResult);
    }
  };
  createInterface({ input: process.stdin })
    .on("line", (line) => {
      // What is wrong here is the machine's own, such as memory that not even an error has room in.
      read(line).catch(() => host.failed("InternalError: the machine of the script failed, mostly for want of memory"));
    })
    .on("close", () => process.exit(0));
}

process.env.TZ = "UTC";
listen(hostOf(process.ppid));
