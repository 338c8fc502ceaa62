/**
 * A script in QuickJS compiled to WebAssembly: it has no file, socket, process or timer to reach, and 64 MiB in all. The
 * bound is that of the WebAssembly memory; what QuickJS counts itself leaves most of an array out.
 */
import { stripTypeScriptTypes } from "node:module";
import quickJsVariant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { MAX_ARGUMENT_CHARS, MAX_SCRIPT_BYTES, type ScriptResult, type ScriptStart } from "./script-frames.ts";
import { PRELUDE } from "./script-prelude.ts";

/** The one global of WebAssembly that is used; it is in no library of types that a service loads. */
declare const WebAssembly: { readonly Memory: new (pages: { initial: number; maximum: number }) => WebAssemblyMemory };
interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
}

// Its types tell of its CommonJS form.
const variant = quickJsVariant as unknown as QuickJSSyncVariant;

const PAGE_BYTES = 64 * 1024;
/** Pages the machine has before a script; it takes no fewer. */
const FIRST_PAGES = 256;
const JOBS_AT_ONCE = 100;
const STACK_BYTES = 256 * 1024;

const OUT_OF_MEMORY = `InternalError: out of memory: a script has ${MAX_SCRIPT_BYTES / 1024 / 1024} MiB`;
const WAITS_FOR_NOTHING = "Error: the script waits for something that never comes";

/** What a script causes outside of its machine. */
export interface MachineHost {
  call(id: number, name: string, args: string): void;
  print(text: string): void;
  done(text: string): void;
  failed(text: string): void;
  /** Asked while a script computes; true ends it. */
  interrupted(): boolean;
}

/** A machine with a script that has begun. */
export interface ScriptMachine {
  settle(result: ScriptResult): void;
}

/** Starts a script. What is wrong with its text goes to `failed`, before any of it has run. */
export async function startScript(start: ScriptStart, host: MachineHost): Promise<ScriptMachine> {
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MAX_SCRIPT_BYTES / PAGE_BYTES });
  const quickJs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory } as object));
  const runtime = quickJs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(() => host.interrupted());
  return new Machine({ runtime, vm: runtime.newContext(), memory: wasmMemory, host }).begin(start);
}

interface MachineParts {
  readonly runtime: QuickJSRuntime;
  readonly vm: QuickJSContext;
  readonly memory: WebAssemblyMemory;
  readonly host: MachineHost;
}

class Machine implements ScriptMachine {
  readonly #runtime: QuickJSRuntime;
  readonly #vm: QuickJSContext;
  readonly #memory: WebAssemblyMemory;
  readonly #host: MachineHost;
  #prelude: QuickJSHandle | undefined;
  /** Calls that have no outcome yet. */
  #open = 0;
  #ended = false;

  constructor({ runtime, vm, memory, host }: MachineParts) {
    this.#runtime = runtime;
    this.#vm = vm;
    this.#memory = memory;
    this.#host = host;
  }

  begin({ code, names, startedAt, seed }: ScriptStart): this {
    const vm = this.#vm;
    const made = this.#evaluate(PRELUDE, "prelude.js");
    const given = this.#evaluate(`(${JSON.stringify({ names, seed })})`, "given.js");
    const host = vm.newObject();
    const give = (name: string, run: (...args: QuickJSHandle[]) => void): void =>
      vm.newFunction(name, run).consume((handle) => vm.setProp(host, name, handle));
    give("call", (id, name, args) => {
      this.#open++;
      this.#host.call(vm.getNumber(id!), vm.getString(name!), vm.getString(args!));
    });
    give("print", (text) => this.#host.print(vm.getString(text!)));
    give("done", (text) => this.#end(() => this.#host.done(vm.getString(text!))));
    give("failed", (text, stack) => this.#fail(`${vm.getString(text!)}${lineOf(vm.getString(stack!))}`));
    const args = [
      ...[host, vm.getProp(given, "names"), vm.newNumber(startedAt), vm.getProp(given, "seed")],
      vm.newNumber(MAX_ARGUMENT_CHARS),
    ];
    this.#prelude = vm.unwrapResult(vm.callFunction(made, vm.undefined, ...args));
    const main = this.#compile(code);
    if (main !== undefined) this.#run("run", main);
    return this;
  }

  settle({ id, ok, text }: ScriptResult): void {
    this.#open--;
    const vm = this.#vm;
    this.#run("settle", vm.newNumber(id), ok ? vm.true : vm.false, vm.newString(text));
  }

  /** A function of the prelude, and all that follows from it. */
  #run(name: string, ...args: QuickJSHandle[]): void {
    if (this.#ended) return;
    const vm = this.#vm;
    const result = vm.callFunction(vm.getProp(this.#prelude!, name), vm.undefined, ...args);
    const failed = result.error ?? this.#runJobs();
    if (failed !== undefined) this.#fail(this.#describe(failed));
    else if (this.#open === 0) this.#fail(WAITS_FOR_NOTHING);
  }

  /** Until there is nothing left to do; returns what could not be caught. */
  #runJobs(): QuickJSHandle | undefined {
    for (;;) {
      const jobs = this.#runtime.executePendingJobs(JOBS_AT_ONCE);
      if (jobs.error) return jobs.error;
      if (jobs.value === 0) return undefined;
    }
  }

  /** The script as a function; undefined: it cannot be read. TypeScript is what JavaScript is not. */
  #compile(code: string): QuickJSHandle | undefined {
    const wrapped = (text: string): string => `(async () => {${text}\n})`;
    const plain = this.#vm.evalCode(wrapped(code), "script.js");
    if (!plain.error) return plain.value;
    const first = this.#describe(plain.error);
    let stripped: string;
    try {
      stripped = stripTypeScriptTypes(wrapped(code));
    } catch {
      this.#fail(first);
      return undefined;
    }
    const typed = this.#vm.evalCode(stripped, "script.js");
    if (!typed.error) return typed.value;
    this.#fail(this.#describe(typed.error));
    return undefined;
  }

  #evaluate(code: string, name: string): QuickJSHandle {
    return this.#vm.unwrapResult(this.#vm.evalCode(code, name));
  }

  #describe(error: QuickJSHandle): string {
    const dumped: unknown = this.#vm.dump(error);
    // With no memory left there is no error object either.
    if (typeof dumped !== "object" || dumped === null) return OUT_OF_MEMORY;
    const { name, message, stack } = dumped as { name?: unknown; message?: unknown; stack?: unknown };
    if (message === "out of memory") return OUT_OF_MEMORY;
    return `${String(name)}: ${String(message)}${lineOf(String(stack))}`;
  }

  /** Without memory a script throws null: there is no room for an error. */
  #fail(text: string): void {
    const isFull = text === "null" && this.#memory.buffer.byteLength > MAX_SCRIPT_BYTES / 2;
    this.#end(() => this.#host.failed(isFull ? OUT_OF_MEMORY : text));
  }

  #end(say: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    say();
  }
}

/** Where in the script an error was thrown. */
function lineOf(stack: string): string {
  const line = /script\.js:(\d+)/.exec(stack)?.[1];
  return line === undefined ? "" : ` (line ${line})`;
}
