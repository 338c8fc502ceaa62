/** W3C Trace Context: where a task stands in a trace. Ids follow from the task's own, so nothing has to be kept. */
import { createHash } from "node:crypto";

/** Whose child a task's trace is. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

const HEADER = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;
const ZEROS = /^0+$/;

/** Reads a `traceparent` header; undefined where it is none: the standard has it ignored. */
export function parseTraceparent(header: string | undefined | null): TraceParent | undefined {
  const [, traceId, spanId] = HEADER.exec(header?.trim() ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId };
}

/** The header that names a parent, in version 00 and sampled: what is kept of a caller's, however long that was. */
export function formatTraceparent({ traceId, spanId }: TraceParent): string {
  return `00-${traceId}-${spanId}-01`;
}

/** The trace of a task: its caller's, else one of its own. */
export function traceIdOf(task: string, parent: string | undefined): string {
  const joined = parseTraceparent(parent)?.traceId;
  if (joined !== undefined) return joined;
  const plain = task.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) && !ZEROS.test(plain) ? plain : digest(task).slice(0, 32);
}

/** The span of a task, or of one of its calls. The same whenever it is asked for, in any process. */
export function spanIdOf(task: string, call = ""): string {
  return digest(`${task} ${call}`).slice(0, 16);
}

/** The `traceparent` that a call of a task carries on to whom it calls. */
export function traceparentOf(task: string, call: string, parent: string | undefined): string {
  return formatTraceparent({ traceId: traceIdOf(task, parent), spanId: spanIdOf(task, call) });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
