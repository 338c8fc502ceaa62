import * as v from "valibot";
import { cursorOf, flagQuery, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type RequestKey, type ServedRoute, serve } from "../route/index.ts";

const tag = "Inbox";
const PRIORITIES = ["now", "next", "later"] as const;
type Priority = (typeof PRIORITIES)[number];

/** What waits for the agent (B39). */
export const inboxItemSchema = v.object({
  id: v.number(),
  created_at: v.string(),
  priority: v.picklist(PRIORITIES),
  source: v.pipe(v.nullable(v.string()), v.description("The sender, as it names itself.")),
  text: v.string(),
  dedup_key: v.nullable(v.string()),
  delivered_at: v.pipe(v.nullable(v.string()), v.description("When the agent took it; null while it waits.")),
});

/** An item on the wire. */
export type InboxRow = v.InferInput<typeof inboxItemSchema>;

const optionalText = (description: string, most: number) =>
  v.optional(v.pipe(v.string(), v.trim(), v.maxLength(most), v.description(description)));
const priorities = { enum: [...PRIORITIES], type: "string" } as const;

export const listInbox = defineRoute({
  name: "inbox.list",
  method: "GET",
  path: "/api/inbox",
  tag,
  summary: "What waits for the agent, newest first",
  query: v.object({
    ...pageQuery(v.number()).entries,
    floor: v.optional(
      v.pipe(
        v.picklist(PRIORITIES, "Expected now, next or later."),
        v.description("The least urgent that counts: `next` lists next and now."),
      ),
      "later",
    ),
    include_delivered: flagQuery("Also what the agent took; kept for 30 days."),
  }),
  reply: json(v.object({ items: v.array(inboxItemSchema), ...pageFields })),
});

export const addInboxItem = defineRoute({
  name: "inbox.add",
  method: "POST",
  path: "/api/inbox",
  tag,
  summary: "Puts something into the agent's inbox",
  description:
    "`now` starts a turn in the activity conversation, at most 8 in 60 s; what comes beyond that starts one when the time is there. `next` and `later` wait until the agent looks. An item with the `dedup_key` of one that came in the last 300 s and still waits (or was `now`) is not added.",
  body: v.object({
    text: v.pipe(v.string(), v.trim(), v.maxLength(16_000)),
    priority: v.optional(v.pipe(v.string(), v.maxLength(20), v.metadata(priorities)), "next"),
    source: optionalText("Who puts it there: shown to the agent.", 200),
    dedup_key: optionalText("Names what it is about.", 200),
  }),
  reply: json(
    v.object({
      ok: v.boolean(),
      item: inboxItemSchema,
      fired: v.pipe(v.boolean(), v.description("It started a turn at once.")),
      deduped: v.optional(v.pipe(v.boolean(), v.description("It was not added: `item` is the one that is there."))),
      task_id: v.optional(v.pipe(v.string(), v.description("The turn it started."))),
    }),
  ),
  failures: { 400: "The text is blank, or the priority is none of `now`, `next` and `later`." },
  example: { body: { text: "The nightly build failed.", priority: "now", source: "ci", dedup_key: "build" } },
});

export const deliverInboxItem = defineRoute({
  name: "inbox.deliver",
  method: "POST",
  path: "/api/inbox/{item_id}/deliver",
  tag,
  summary: "Delivers an item to the agent: a turn starts with it, whatever its priority",
  params: { item_id: "Of the item." },
  reply: json(
    v.object({
      ok: v.boolean(),
      delivered: v.pipe(v.number(), v.description("1, or 0 for one that the agent took before.")),
      task_id: v.optional(v.pipe(v.string(), v.description("The turn that has it."))),
    }),
  ),
  failures: { 404: "There is no such item." },
});

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface InboxService {
  /** Newest first. */
  list(which: {
    readonly floor: Priority;
    readonly includeDelivered: boolean;
    readonly limit: number;
    readonly before: number | undefined;
  }): Promise<readonly Frozen<InboxRow>[]>;
  add(
    item: {
      readonly text: string;
      readonly priority: Priority;
      readonly source: string;
      readonly dedupKey: string | undefined;
    },
    key: RequestKey | undefined,
  ): Promise<{
    readonly item: Frozen<InboxRow>;
    readonly outcome: "queued" | "fired" | "duplicate";
    readonly task: string | undefined;
  }>;
  /** The turn that has the item now; undefined: it was taken before. */
  deliver(id: number, key: RequestKey | undefined): Promise<string | undefined>;
}

function isPriority(text: string): text is Priority {
  return PRIORITIES.some((one) => one === text);
}

export function inboxRoutes(inbox: InboxService): readonly ServedRoute[] {
  return [
    serve(listInbox, async ({ query: { limit, cursor, floor, include_delivered: includeDelivered } }) => {
      const items = await inbox.list({ floor, includeDelivered, limit: limit + 1, before: cursor });
      const page = items.slice(0, limit);
      return { items: page, next_cursor: cursorOf(items.length > limit ? page.at(-1)?.id : undefined) };
    }),
    serve(addInboxItem, async ({ body: { text, priority, source = "", dedup_key: dedup }, requestKey }) => {
      if (text === "") throw new Problem(400, "The text is blank.");
      if (!isPriority(priority)) throw new Problem(400, "`priority` is now, next or later.");
      const added = { text, priority, source, dedupKey: dedup || undefined };
      const { item, outcome, task } = await inbox.add(added, requestKey);
      return {
        ok: true,
        item,
        fired: outcome === "fired",
        ...(outcome === "duplicate" && { deduped: true }),
        ...(task !== undefined && { task_id: task }),
      };
    }),
    serve(deliverInboxItem, async ({ params, requestKey }) => {
      const id = /^[1-9]\d{0,14}$/.test(params.item_id) ? Number(params.item_id) : 0;
      const task = await inbox.deliver(id, requestKey);
      return { ok: true, delivered: task === undefined ? 0 : 1, ...(task !== undefined && { task_id: task }) };
    }),
  ];
}
