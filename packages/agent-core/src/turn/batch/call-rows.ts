/** Rows and events of tool calls: intent, outcome, and what is closed when a task ends (EN3, EN5). */
import type { ComponentOutput } from "@agent-service/plugin-sdk";
import type { Statement } from "../../database/index.ts";
import type { CallImage, CallOutcome, TaskEvent } from "../../event/index.ts";
import type { Statements, TaskRecord } from "../../journal/index.ts";
import type { ResultImage } from "../../tool/index.ts";
import type { OpenCall, RunnableCall } from "./call-batch.ts";

/** Characters of arguments and results in events; the call's row has them whole (A14). */
const PREVIEW_CHARS = 800;

/** The start of a text, for events. */
function preview(text: string): string {
  return text.length <= PREVIEW_CHARS ? text : `${text.slice(0, PREVIEW_CHARS - 1)}…`;
}

/** A call as its row names it. */
export interface CallIdentity {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly digest: string;
  /** The call that made it; absent: the model did. */
  readonly parent?: string | undefined;
}

function key(record: TaskRecord): { task: string; class: string; context: string } {
  return { task: record.view.id, class: record.view.class, context: record.view.context };
}

/** The intent's row. */
export function openCallRow(statements: Statements, record: TaskRecord, call: OpenCall): Statement {
  const { id, name, args, digest, parent = null } = call;
  return statements.openCall.bind({ ...key(record), id, name, args, digest, at: call.startedAt, parent });
}

/** The outcome's row; `stored`: the intent's row is stored already. */
export function closeCallRow(
  statements: Statements,
  record: TaskRecord,
  call: CallIdentity & { readonly stored: boolean; readonly startedAt: number },
  end: { readonly outcome: CallOutcome; readonly text: string; readonly at: number },
): Statement {
  if (call.stored)
    return statements.closeCall.bind({ id: call.id, outcome: end.outcome, result: end.text, at: end.at });
  const { id, name, args, digest, startedAt, parent = null } = call;
  return statements.insertClosedCall.bind({
    ...key(record),
    id,
    name,
    args,
    digest,
    outcome: end.outcome,
    result: end.text,
    startedAt,
    at: end.at,
    parent,
  });
}

/** The event of a call's start. */
export function callStarted(
  { id, name, args, parent }: Omit<CallIdentity, "digest">,
  /** What people read of it. */
  title?: string,
): TaskEvent {
  return {
    ...{ kind: "tool.started", call: id, name, args: preview(args) },
    ...(title !== undefined && { title }),
    ...(parent !== undefined && { parentCall: parent }),
  };
}

/** The events of the start of a call that runs. */
export function callBegun(open: OpenCall, { input, present, skipped }: RunnableCall): TaskEvent[] {
  const started = callStarted(open, present?.("doing", { input }));
  if (skipped === undefined) return [started];
  return [started, { kind: "approval.skipped", call: open.id, name: open.name, ...skipped }];
}

function callImage({ mediaType, data }: ResultImage): CallImage {
  return { mediaType, bytes: Buffer.byteLength(data, "base64") };
}

/** The events of a call's end. */
export function callFinished(
  call: {
    readonly id: string;
    readonly name: string;
    readonly startedAt: number;
    readonly parent?: string | undefined;
  },
  end: {
    readonly outcome: CallOutcome;
    readonly text: string;
    readonly at: number;
    readonly component?: ComponentOutput;
    /** What people read of it. */
    readonly title?: string | undefined;
    readonly images?: readonly ResultImage[] | undefined;
  },
): TaskEvent[] {
  const events: TaskEvent[] = [
    {
      kind: "tool.finished",
      call: call.id,
      name: call.name,
      outcome: end.outcome,
      result: preview(end.text),
      ...(end.title !== undefined && { title: end.title }),
      ms: Math.max(0, end.at - call.startedAt),
      ...(call.parent !== undefined && { parentCall: call.parent }),
      ...(end.images !== undefined && { images: end.images.map(callImage) }),
    },
  ];
  if (end.component !== undefined && end.outcome === "ok") {
    events.push({ kind: "component.shown", call: call.id, component: end.component });
  }
  return events;
}
