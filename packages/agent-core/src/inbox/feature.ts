import { defineFeature } from "../feature/index.ts";
import { Inbox } from "./inbox.ts";
import { inboxTools } from "./inbox-tools.ts";

/** The inbox: what waits for the agent, and the turns that urgent items start. */
export const inbox = defineFeature({
  name: "inbox",
  topics: ["inbox.added", "inbox.delivered", "inbox.item"],
  open: ({ db, journal, service, clock, log, bus }) => new Inbox({ db, journal, service, clock, log, bus }),
  tools: (inbox) => inboxTools(inbox),
  start: (inbox) => inbox.resume(),
  quiesce: (inbox) => inbox.stop(),
});
