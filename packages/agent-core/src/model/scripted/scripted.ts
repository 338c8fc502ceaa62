import { setImmediate } from "node:timers/promises";
import { type Clock, sleep, systemClock } from "../../clock/index.ts";
import { HARVEST_INSTRUCTIONS, harvestedIn } from "../harvest-request.ts";
import { JUDGE_INSTRUCTIONS, SCRIPTED_VERDICT } from "../judge-request.ts";
import { ModelError, type ModelErrorCode } from "../model-error.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelMessage, ModelRequest, ModelUsage } from "../model-port.ts";
import { askedIn, TITLE_INSTRUCTIONS } from "../title-request.ts";
import { readScript, type ScriptStep } from "./script.ts";
import { scriptedHarvest } from "./scripted-harvest.ts";
import { scriptedTitle } from "./scripted-title.ts";

const RESULT_CHARS = 2_000;
const PIECE_CHARS = 256;
/** From this many characters on, text is emitted in slices, not word by word. */
const LONG_CHARS = 64 * 1024;
const SLICE_CHARS = 4 * 1024;
/** Pieces after which the event loop runs: a model that waits for no network would otherwise block it. */
const PIECES_AT_ONCE = 256;

/**
 * The deterministic model of R10, for first runs, demos and tests: no network, no language. It introduces itself as
 * such, echoes the message, and runs the commands that `readScript` lists.
 *
 * It keeps no state: the number of assistant messages after the last user message is the index of the next step, so the
 * same request always gets the same answer, also after a restart. When a step's tool results are back and the script has
 * no further step, it answers with those results.
 */
export function scripted(options: { readonly clock?: Clock } = {}): Model {
  const clock = options.clock ?? systemClock();
  return { stream: (request, callOptions) => answer(request, callOptions, clock) };
}

async function* answer(request: ModelRequest, options: ModelCallOptions, clock: Clock): AsyncGenerator<ModelEvent> {
  options.signal.throwIfAborted();
  let written = 0;
  let calls = 0;
  for (const command of nextStep(request)) {
    switch (command.kind) {
      case "wait":
        await sleep(clock, command.ms, options.signal);
        break;
      case "fail":
        throw failure(command.status);
      case "think":
        written += command.text.length;
        yield { kind: "reasoning", text: command.text };
        break;
      case "say":
        written += command.text.length;
        yield* textEvents(pieces(command.text), options.signal);
        break;
      case "stream":
        for (let at = 0; at < command.count; at++) written += `w${at} `.length;
        yield* textEvents(counted(command.count), options.signal);
        break;
      case "call":
        written += command.tool.length + command.args.length;
        yield { kind: "tool-call", call: { id: callId(request, calls), name: command.tool, args: command.args } };
        calls += 1;
        break;
    }
  }
  yield { kind: "usage", usage: estimate(request, written) };
  yield { kind: "finish", reason: calls > 0 ? "tool-calls" : "stop" };
}

function nextStep(request: ModelRequest): ScriptStep {
  const last = request.messages.findLastIndex((message) => message.role === "user");
  const text = userText(request.messages[last]);
  if (request.system === TITLE_INSTRUCTIONS) return [{ kind: "say", text: scriptedTitle(askedIn(text)) }];
  if (request.system?.startsWith(JUDGE_INSTRUCTIONS) === true) return [{ kind: "say", text: SCRIPTED_VERDICT }];
  if (request.system === HARVEST_INSTRUCTIONS) return [{ kind: "say", text: scriptedHarvest(harvestedIn(text)) }];
  const since = request.messages.slice(last + 1);
  const at = since.filter((message) => message.role === "assistant").length;
  const step = readScript(text)?.[at];
  if (step !== undefined && step.length > 0) return step;
  return [{ kind: "say", text: at === 0 ? echo(text) : summary(since) }];
}

function echo(text: string): string {
  const what = text.trim() === "" ? "You sent no text." : `You said: ${text.trim()}`;
  return `This is the scripted model, not a language model. ${what}`;
}

function summary(since: readonly ModelMessage[]): string {
  const from = since.findLastIndex((message) => message.role === "assistant") + 1;
  const lines: string[] = [];
  for (const message of since.slice(from)) {
    if (message.role === "tool") lines.push(`${message.name} returned: ${clip(message.text)}`);
  }
  return lines.length === 0 ? "The script is over." : lines.join("\n");
}

function clip(text: string): string {
  return text.length > RESULT_CHARS ? `${text.slice(0, RESULT_CHARS)}…` : text;
}

function userText(message: ModelMessage | undefined): string {
  if (message?.role !== "user") return "";
  const said = message.content.filter((part) => part.kind === "image" || part.aside !== true);
  return said.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
}

async function* textEvents(texts: Iterable<string>, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  let at = 0;
  for (const text of texts) {
    if (++at % PIECES_AT_ONCE === 0) await setImmediate();
    signal.throwIfAborted();
    yield { kind: "text", text };
  }
}

function* counted(count: number): Iterable<string> {
  for (let at = 0; at < count; at++) yield `w${at} `;
}

function* slices(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += SLICE_CHARS) yield text.slice(at, at + SLICE_CHARS);
}

/** Words with the space after them; text without spaces, and long text, in bounded slices. */
function pieces(text: string): Iterable<string> {
  if (text.length > LONG_CHARS) return slices(text);
  return text.match(new RegExp(`\\S{1,${PIECE_CHARS}}\\s{0,${PIECE_CHARS}}|\\s{1,${PIECE_CHARS}}`, "g")) ?? [];
}

/** Unlike any earlier call of the conversation as it is shown. */
function callId(request: ModelRequest, index: number): string {
  return `call_${request.messages.length}_${index}`;
}

/** Four characters a token: not true, but the same every time. */
function estimate(request: ModelRequest, written: number): ModelUsage {
  let read = request.system?.length ?? 0;
  for (const message of request.messages) {
    if (message.role === "user") {
      for (const part of message.content) read += part.kind === "text" ? part.text.length : part.data.length;
    } else read += message.text.length;
  }
  return { input: Math.ceil(read / 4), output: Math.ceil(written / 4), cacheRead: 0, cacheWrite: 0 };
}

function failure(status: number): ModelError {
  return new ModelError(failureCode(status), `the scripted model was asked to fail with ${status}`, { status });
}

function failureCode(status: number): ModelErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404) return "unknown_model";
  if (status === 408) return "timeout";
  if (status === 413) return "context_overflow";
  if (status === 429) return "rate_limited";
  return status >= 500 ? "upstream" : "bad_request";
}
