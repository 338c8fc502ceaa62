/**
 * The process of one script: reads a start and outcomes from its input, writes what the script does to its output, and
 * ends with its input, so that it outlives no service. It has nothing to do while it waits for either, so it waits in the
 * system's calls: Node's streams take longer to load than most scripts run. Node runs it without rights (`--permission`) and without an
 * environment; what is in reach of the script is in `script-prelude.ts`.
 */
import { readSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import {
  MAX_PRINTED_CHARS,
  MAX_VALUE_CHARS,
  type ScriptFrame,
  type ScriptResult,
  type ScriptStart,
} from "./script-frames.ts";
import { type MachineHost, type ScriptMachine, startScript } from "./script-machine.ts";

const [INPUT, OUTPUT] = [0, 1];
const READ_BYTES = 65_536;

function say(frame: ScriptFrame): void {
  const line = Buffer.from(`${JSON.stringify(frame)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(OUTPUT, line, at);
}

/** Lines of its input, until that ends. */
function* inputLines(): Generator<string> {
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let held: string[] = [];
  for (;;) {
    const length = readSync(INPUT, buffer, 0, buffer.length, null);
    if (length === 0) return;
    const [end, ...lines] = decoder.write(buffer.subarray(0, length)).split("\n");
    held.push(end!);
    for (const begin of lines) {
      yield held.join("");
      held = [begin];
    }
  }
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

async function listen(host: MachineHost): Promise<void> {
  let machine: ScriptMachine | undefined;
  try {
    for (const line of inputLines()) {
      if (machine === undefined) machine = await startScript(JSON.parse(line) as ScriptStart, host);
      else machine.settle(JSON.parse(line) as ScriptResult);
    }
  } catch {
    // What is wrong here is the machine's own, such as memory that not even an error has room in.
    host.failed("InternalError: the machine of the script failed, mostly for want of memory");
  }
}

process.env.TZ = "UTC";
await listen(hostOf(process.ppid));
process.exit(0);
