/**
 * Runs one call to its end (R4): whatever the tool does — returns, parks, throws, hangs, ignores its signal,
 * returns 50 MB — comes back as a value; nothing here throws.
 */
import {
  type AnyTool,
  type ComponentOutput,
  isOutcomeUnknown,
  type Park,
  type ParkAnswer,
  type ParkRequest,
  type ToolContext,
  type ToolOutput,
  type ToolPreview,
} from "@agent-service/plugin-sdk";
import type { Clock } from "../clock/index.ts";
import { DatabaseError } from "../database/index.ts";
import type { CallOutcome } from "../event/index.ts";
import { mapTexts, type Redactor } from "../redaction/index.ts";
import { type ClippedResult, clipResult } from "./clip-result.ts";
import type { ResultImage } from "./result-images.ts";

/** Milliseconds a tool without a limit of its own may run (R4). */
export const DEFAULT_TOOL_TIMEOUT_MS = 120_000;

/** How a call ended, or that it waits for a person. */
export type ToolRun =
  | {
      readonly kind: "done";
      readonly outcome: CallOutcome;
      /** What the model reads. */
      readonly text: string;
      readonly component?: ComponentOutput;
      readonly images?: readonly ResultImage[];
    }
  | { readonly kind: "parked"; readonly request: ParkRequest };

export interface ToolCall {
  readonly tool: AnyTool;
  readonly input: unknown;
  /** Everything but the signal. */
  readonly context: Omit<ToolContext, "signal">;
  /** The task's signal: cancel and shutdown. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Set: the call parked before and this is the answer; `resume` runs instead of `run`. */
  readonly answer?: ParkAnswer;
  /** True: a crash left the call open after it had kept a note; `reattach` runs instead of `run`. */
  readonly reattaches?: true;
  /** Takes known secrets out of what the tool returns, and whatever looks like one out of what it throws (S5). */
  readonly redactor: Pick<Redactor, "known" | "text">;
  /** Receives the cause of a store failure, which the model is not shown. */
  readonly log?: { warn(message: string): void };
}

type Settled =
  | { readonly how: "returned"; readonly value: unknown }
  | { readonly how: "threw"; readonly error: unknown }
  | { readonly how: "timeout" }
  | { readonly how: "aborted" };

function isPark(value: unknown): value is Park {
  return typeof value === "object" && value !== null && (value as { type?: unknown }).type === "park";
}

function describe(error: unknown): string {
  if (error instanceof DatabaseError) return storeFailure(error);
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  return clipResult(error as ToolOutput).text;
}

/** The model's text for a store failure: the original message names tables, statements and files. */
function storeFailure({ code }: DatabaseError): string {
  if (code === "full") return "The service's store is full: nothing was changed.";
  if (code === "overloaded" || code === "unreachable")
    return "The service's store does not answer now; try again later.";
  return "The service's store could not do this; its log has the cause.";
}

/** `kept` of a running call is read when it is asked for, so a getter stays one. */
function withSignal(context: ToolCall["context"], signal: AbortSignal): ToolContext {
  const given = Object.getOwnPropertyDescriptors(context);
  return Object.defineProperties({}, { ...given, signal: { value: signal, enumerable: true } }) as ToolContext;
}

async function continueCall({ tool, input, answer, reattaches }: ToolCall, context: ToolContext): Promise<unknown> {
  if (reattaches === true && tool.reattach !== undefined) return tool.reattach(input, context);
  if (answer !== undefined && tool.resume !== undefined) return tool.resume(input, answer, context);
  return tool.run(input, context);
}

async function settle(call: ToolCall, timeoutMs: number | null): Promise<Settled> {
  if (call.signal.aborted) return { how: "aborted" };
  const controller = new AbortController();
  const context = withSignal(call.context, controller.signal);
  return new Promise<Settled>((resolve) => {
    const timer =
      timeoutMs === null ? undefined : call.clock.setTimeout(() => finish({ how: "timeout" }, true), timeoutMs);
    const aborted = (): void => finish({ how: "aborted" }, true);
    call.signal.addEventListener("abort", aborted, { once: true });
    function finish(settled: Settled, abort: boolean): void {
      timer?.cancel();
      call.signal.removeEventListener("abort", aborted);
      resolve(settled);
      if (abort)
        controller.abort(call.signal.aborted ? call.signal.reason : new DOMException("timed out", "TimeoutError"));
    }
    continueCall(call, context).then(
      (value) => finish({ how: "returned", value }, false),
      (error: unknown) => finish({ how: "threw", error }, false),
    );
  });
}

/** A result without known secrets. */
function redacted({ text, component, images }: ClippedResult, { known }: ToolCall["redactor"]): ClippedResult {
  return {
    text: known(text),
    ...(component === undefined ? {} : { component: mapTexts(component, known) }),
    ...(images === undefined ? {} : { images }),
  };
}

/** The text of a result where no model can be shown its images. */
export function textWithoutImages(text: string, images: readonly ResultImage[] | undefined): string {
  return images === undefined ? text : `${text}\n[The result has images, which are not shown here: ${images.length}.]`;
}

/** Runs a call. Never rejects. */
export async function runTool(call: ToolCall): Promise<ToolRun> {
  const timeoutMs = call.tool.timeoutMs === undefined ? DEFAULT_TOOL_TIMEOUT_MS : call.tool.timeoutMs;
  const settled = await settle(call, timeoutMs);
  const repeatable = call.tool.effect === "pure" || call.tool.effect === "idempotent";
  switch (settled.how) {
    case "returned": {
      if (isPark(settled.value))
        return { kind: "parked", request: mapTexts(settled.value.request, call.redactor.known) };
      return {
        kind: "done",
        outcome: "ok",
        ...redacted(clipResult(settled.value as ToolOutput, { clean: call.redactor.known }), call.redactor),
      };
    }
    case "threw": {
      if (settled.error instanceof DatabaseError)
        call.log?.warn(`${call.tool.name}: the store failed (${settled.error.code}): ${settled.error.message}`);
      const message = call.redactor.text(clipResult(describe(settled.error), { clean: call.redactor.text }).text);
      return isOutcomeUnknown(settled.error) && !repeatable
        ? { kind: "done", outcome: "unknown", text: `The call ended in doubt and may have happened: ${message}` }
        : { kind: "done", outcome: "error", text: `Error: ${message}` };
    }
    case "timeout": {
      const seconds = Math.round((timeoutMs ?? 0) / 100) / 10;
      return repeatable
        ? { kind: "done", outcome: "error", text: `Error: the call timed out after ${seconds} s.` }
        : { kind: "done", outcome: "unknown", text: `The call timed out after ${seconds} s and may have happened.` };
    }
    case "aborted":
      return repeatable
        ? { kind: "done", outcome: "aborted", text: "The call was aborted." }
        : { kind: "done", outcome: "unknown", text: "The call was aborted and may have happened." };
  }
}

/** Milliseconds a preview may take. */
const PREVIEW_TIMEOUT_MS = 10_000;
/** Characters of a preview as JSON; a larger one is none. */
const PREVIEW_CHARS = 4 * 1024 * 1024;
/** Characters of what a preview names as its base. */
const BASE_CHARS = 200;

/**
 * What a call would do (F28), as plain JSON without known secrets; undefined: its tool shows nothing, or cannot now. Never
 * rejects.
 */
export async function previewCall(call: Omit<ToolCall, "answer">): Promise<ToolPreview | undefined> {
  const { tool, log, redactor } = call;
  const { preview } = tool;
  if (preview === undefined) return undefined;
  const showing: AnyTool = { ...tool, run: (input, context) => preview(input, context) as never };
  const settled = await settle({ ...call, tool: showing }, PREVIEW_TIMEOUT_MS);
  if (settled.how !== "returned") {
    if (settled.how !== "aborted")
      log?.warn(
        `${tool.name}: no preview: ${redactor.text(settled.how === "threw" ? describe(settled.error) : settled.how)}`,
      );
    return undefined;
  }
  try {
    const json = JSON.stringify(settled.value) ?? "null";
    const value = JSON.parse(json.length > PREVIEW_CHARS ? "null" : json) as ToolPreview | null;
    if (typeof value?.kind !== "string") return undefined;
    const { base, ...shown } = value;
    const named = typeof base === "string" ? { base: base.slice(0, BASE_CHARS) } : {};
    return { ...mapTexts(shown, redactor.known), ...named };
  } catch {
    return undefined;
  }
}

/** A tool's answer to whether a call happened (R3). */
export type ReconcileVerdict =
  | { readonly kind: "happened"; readonly text: string; readonly component?: ComponentOutput }
  | { readonly kind: "did-not-happen" }
  | { readonly kind: "unknown" };

/** Asks the tool's `reconcile`, under the same time limit as a call. Never rejects. */
export async function reconcileCall(call: Omit<ToolCall, "answer">): Promise<ReconcileVerdict> {
  const reconcile = call.tool.reconcile;
  if (reconcile === undefined) return { kind: "unknown" };
  const asking: AnyTool = { ...call.tool, run: (input, context) => reconcile(input, context) as never };
  const settled = await settle({ ...call, tool: asking }, call.tool.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS);
  if (settled.how !== "returned") return { kind: "unknown" };
  if (settled.value === undefined) return { kind: "did-not-happen" };
  const { text, component, images } = redacted(
    clipResult(settled.value as ToolOutput, { clean: call.redactor.known }),
    call.redactor,
  );
  const shown = textWithoutImages(text, images);
  return { kind: "happened", text: shown, ...(component === undefined ? {} : { component }) };
}
