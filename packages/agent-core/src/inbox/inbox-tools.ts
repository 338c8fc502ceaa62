import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Inbox } from "./inbox.ts";
import { INBOX_PRIORITIES, textOfItem } from "./inbox-item.ts";

/** Items one call takes at most. */
const MOST = 50;

/** `check_inbox(priority_floor='next', limit=10)` (B87): takes what waits, each item once. */
export function inboxTools(inbox: Pick<Inbox, "take">): readonly AnyTool[] {
  return [
    defineTool({
      name: "check_inbox",
      description:
        "Take what waits in your inbox, the most urgent first. Each item is handed out once: deal with it, or put it on the task board.",
      input: v.object({
        priority_floor: v.optional(
          v.pipe(
            v.picklist(INBOX_PRIORITIES),
            v.description("The least urgent that counts: now, next (and now), later (all)."),
          ),
          "next",
        ),
        limit: v.optional(
          v.pipe(
            v.number(),
            v.integer(),
            v.transform((limit) => Math.min(Math.max(limit, 1), MOST)),
          ),
          10,
        ),
      }),
      // The same call gets the same items again, and another one those that wait then.
      effect: "idempotent",
      oncePerCall: true,
      content: "outside",
      present: { asks: "Take items from the inbox?", doing: "Reading the inbox", done: "Read the inbox" },
      // The inbox is the operator's (A16).
      availableTo: ["lead", "subagents"],
      async run({ priority_floor, limit }, { callId }) {
        const items = await inbox.take(callId, priority_floor, limit);
        return items.length === 0 ? "The inbox is empty." : items.map(textOfItem).join("\n\n");
      },
    }),
  ];
}
