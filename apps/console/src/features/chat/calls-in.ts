import type { TimelineSource } from "../../timeline/index.ts";

/** The texts of a tool call that ended. */
export interface CallTexts {
  readonly id: string;
  readonly args: string;
  readonly result: string | undefined;
  readonly truncated: boolean;
}

/** The calls of a turn that ended, in the order they did, from its journal. */
export function callsIn(events: TimelineSource["events"]): readonly CallTexts[] {
  const begun = new Map<string, string>();
  const ended: CallTexts[] = [];
  for (const row of events) {
    if (row.kind === "tool_started") begun.set(row.call_id, row.args);
    if (row.kind !== "tool_finished") continue;
    const { call_id: id, result, truncated } = row;
    ended.push({ id, args: begun.get(id) ?? "", result, truncated });
  }
  return ended;
}
