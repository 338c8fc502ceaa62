/**
 * A server of 2026 whose tasks are not what it says: one that it does not know any more, one that it answers with another's
 * result, one that never ends, one that ends more than once, and one whose answers come back under a wrong id.
 */
import type { ServerTask } from "./server-task.ts";

/** Its tools. Nobody knows how a call of most of them ended; `twice` is done. */
export const LYING_TOOLS = ["forget", "mix", "hang", "twice", "astray"] as const;

/** What it says of a task; undefined: that there is none. */
export function lieAbout({ id, tool, token, answers }: ServerTask): object | undefined {
  const done = (text: string): object => ({ status: "completed", result: { content: [{ type: "text", text }] } });
  switch (tool) {
    case "lies__forget":
      return undefined;
    case "lies__mix":
      return { taskId: `${id}-of-another`, ...done("printed what another asked for") };
    case "lies__twice":
      return answers % 2 === 1 ? done(`printed ${token}, end ${answers}`) : { status: "working" };
    default:
      return { status: "working" };
  }
}
