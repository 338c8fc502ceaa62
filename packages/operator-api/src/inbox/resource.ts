import { defineResource } from "../resource/index.ts";
import { addInboxItem, deliverInboxItem, inboxRoutes, listInbox } from "./routes.ts";

/** What waits for the agent. */
export const inbox = defineResource({
  name: "inbox",
  feature: "inbox",
  definitions: [listInbox, addInboxItem, deliverInboxItem],
  topics: [
    { topic: "inbox.item", when: "An item came into the inbox and waits there", data: "as `inbox.added`" },
    {
      topic: "inbox.added",
      when: "An item came into the inbox",
      data: "`id`, `origin`, `priority`, `state` (`waiting`), `source`, `text`",
    },
    {
      topic: "inbox.delivered",
      when: "The agent took an item, or is started with it",
      data: "as `inbox.added`, `state` `delivered`, and `task_id` or `call`",
    },
  ],
  routes: inboxRoutes,
});
