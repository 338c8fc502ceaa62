import type { TimelineSource } from "../../../timeline/index.ts";

/** Arguments and result of a tool call that ended. */
export interface CallTexts {
  readonly id: string;
  readonly args: string;
  readonly result: string | undefined;
  readonly truncated: boolean;
}

/** The ended tool calls of a journal, in the order in which they ended. */
export function callsIn(events: TimelineSource["events"]): readonly CallTexts[] {
  const args = new Map<string, string>();
  const ended: CallTexts[] = [];
  for (const row of events) {
    if (row.kind === "tool_started") args.set(row.call_id, row.args);
    if (row.kind !== "tool_finished") continue;
    const { call_id: id, result, truncated } = row;
    ended.push({ id, args: args.get(id) ?? "", result, truncated });
  }
  return ended;
}
