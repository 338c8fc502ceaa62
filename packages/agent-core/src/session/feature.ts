import { defineFeature } from "../feature/index.ts";
import { INCOGNITO_IDLE_MS } from "./incognito-turns.ts";
import { SessionServices } from "./session-services.ts";

/** The operator's conversations: an index behind the journal, edits, deletion, and the end of incognito turns. */
export const sessions = defineFeature({
  name: "sessions",
  topics: ["session.changed"],
  open: (engine) => new SessionServices(engine),
  commands: (sessions) => sessions.commands(),
  readers: ({ index }) => [index],
  recover: (sessions) => sessions.recover(),
  start(sessions) {
    // Behind the start: readers read first what is removed then.
    void sessions.finishRemovals();
  },
  removeSession: ({ removal }, session) => removal.remove(session, { retire: true }),
  sweep: ({ incognito }, now) => incognito.endIdle(now - INCOGNITO_IDLE_MS),
  close: (sessions) => sessions.stop(),
});
