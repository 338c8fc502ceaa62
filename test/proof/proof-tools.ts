/**
 * Tools whose doings outlive the process: each run, answer and side effect leaves a line in a file, so that a judge can
 * find out afterwards what happened to which call (R3).
 */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { type AnyTool, defineTool, park, type ToolContext } from "../../packages/plugin-sdk/src/index.ts";
import { readJsonLines } from "./json-lines.ts";

/** One line of the file. `kept`: its call was assured that its note is durable. `wrote` is the side effect itself. */
export interface Deed {
  readonly what: "run" | "kept" | "resumed" | "wrote";
  readonly tool: string;
  readonly callId: string;
  readonly taskId: string;
  /** Names the request's call: unique in a trial. */
  readonly token: string;
}

/** Moments of a tool at which a trial may kill the process. */
export type ToolMoment = "before-write" | "after-write" | "after-note";

/** What the tools are given. */
export interface ProofToolsOptions {
  /** The file of deeds. */
  readonly deeds: string;
  /** Reached a moment; may not return. */
  readonly hit: (moment: ToolMoment) => void;
}

const milliseconds = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), 0);
const input = v.object({ token: v.string(), before: milliseconds, after: milliseconds });
type Input = v.InferOutput<typeof input>;

/** The deeds so far. */
export function readDeeds(file: string): readonly Deed[] {
  return readJsonLines(file);
}

/** The tools, one of each kind the effect rule knows. */
export function proofTools({ deeds, hit }: ProofToolsOptions): readonly AnyTool[] {
  const note = (what: Deed["what"], tool: string, { token }: Input, { callId, taskId }: ToolContext): void => {
    appendFileSync(deeds, `${JSON.stringify({ what, tool, callId, taskId, token } satisfies Deed)}\n`);
  };
  const written = (callId: string): boolean =>
    readDeeds(deeds).some((deed) => deed.what === "wrote" && deed.callId === callId);
  /** The side effect, with time on both sides of it for a kill. Abort is ignored on purpose: the worst kind of tool. */
  const write = async (tool: string, asked: Input, context: ToolContext): Promise<string> => {
    await sleep(asked.before);
    hit("before-write");
    note("wrote", tool, asked, context);
    hit("after-write");
    await sleep(asked.after);
    return `wrote ${asked.token}`;
  };
  const effect = (name: string, more: Partial<AnyTool> = {}): AnyTool =>
    defineTool<Input>({
      name,
      description: "Appends a line.",
      input,
      run(asked, context) {
        note("run", name, asked, context);
        return write(name, asked, context);
      },
      ...more,
    });
  return [
    effect("append_once"),
    effect("ledger_add", {
      reconcile: async ({ token }: Input, { callId }) => (written(callId) ? `wrote ${token}` : undefined),
    }),
    // What it does is done elsewhere, once its note is durable: by that it goes on after a crash, and is not asked about.
    effect("job_append", {
      async run(asked: Input, context) {
        note("run", "job_append", asked, context);
        await context.keep({ job: asked.token });
        note("kept", "job_append", asked, context);
        hit("after-note");
        return write("job_append", asked, context);
      },
      async reattach(asked: Input, context) {
        note("resumed", "job_append", asked, context);
        const { job } = context.kept as { readonly job: string };
        return written(context.callId) ? `wrote ${job}` : write("job_append", asked, context);
      },
      reconcile: async (_: Input, { kept }) => {
        if (kept !== undefined) throw new Error("A call with a note is reattached");
        return undefined;
      },
    }),
    effect("guarded_append", { approval: ({ token }: Input) => ({ title: "Append?", detail: token }) }),
    defineTool<Input>({
      name: "put_once",
      description: "Writes once per idempotency key.",
      input,
      effect: "idempotent",
      async run(asked, context) {
        note("run", "put_once", asked, context);
        if (written(context.callId)) return `wrote ${asked.token}`;
        return write("put_once", asked, context);
      },
    }),
    defineTool<Input>({
      name: "look",
      description: "Looks.",
      input,
      effect: "pure",
      async run(asked) {
        await sleep(asked.before + asked.after);
        return `saw ${asked.token}`;
      },
    }),
    ...asking(note, write, written),
  ];
}

/** Tools that ask a person in the middle of their work and go on with the answer. */
function asking(
  note: (what: Deed["what"], tool: string, asked: Input, context: ToolContext) => void,
  write: (tool: string, asked: Input, context: ToolContext) => Promise<string>,
  written: (callId: string) => boolean,
): readonly AnyTool[] {
  return [
    defineTool<Input>({
      name: "confirm_append",
      description: "Asks, then appends a line.",
      input,
      run(asked, context) {
        note("run", "confirm_append", asked, context);
        return park.approval({ title: "Go on?", detail: asked.token });
      },
      async resume(asked, answer, context) {
        note("resumed", "confirm_append", asked, context);
        if (answer.kind !== "approval" || !answer.approved) return "left it";
        return write("confirm_append", asked, context);
      },
    }),
    defineTool<Input>({
      name: "ask_put",
      description: "Asks, then writes once per idempotency key.",
      input,
      effect: "idempotent",
      run(asked, context) {
        note("run", "ask_put", asked, context);
        return park.question(`May ${asked.token} be put?`);
      },
      async resume(asked, answer, context) {
        note("resumed", "ask_put", asked, context);
        const text = answer.kind === "question" ? answer.text : "";
        if (!written(context.callId)) await write("ask_put", asked, context);
        return `put after: ${text}`;
      },
    }),
  ];
}
