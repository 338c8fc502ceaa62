import { defineFeature } from "../feature/index.ts";
import { routingSection } from "../model/index.ts";
import { INCOGNITO_IDLE_MS } from "./incognito-turns.ts";
import { SessionServices } from "./session-services.ts";
import { sessionsSection } from "./sessions-section.ts";

/** The operator's conversations: an index behind the journal, titles, edits, deletion, and the end of incognito turns. */
export const sessions = defineFeature({
  name: "sessions",
  topics: ["session.changed"],
  sections: [sessionsSection, routingSection],
  open: (engine, { settings }) =>
    new SessionServices(engine, () => ({ titles: settings.sessions.titles, auxModel: settings.routing.aux_model })),
  roles: ({ titles }) => titles.roles(),
  commands: (sessions) => sessions.commands(),
  readers: ({ index }) => [index],
  recover: (sessions) => sessions.recover(),
  start(sessions) {
    // Behind the start: readers read first what is removed then.
    void sessions.finishRemovals();
    sessions.titles.start();
  },
  onCommit: ({ titles }, view) => titles.onCommit(view),
  forgetSession: ({ titles }, session) => titles.forget(session),
  tick: (sessions) => sessions.retryRemovals(),
  quiesce: ({ titles }) => titles.stop(),
  removeSession: async ({ removal }, session) => void (await removal.remove(session, { retire: true, alone: true })),
  sweep: ({ incognito }, now) => incognito.endIdle(now - INCOGNITO_IDLE_MS),
  beforeClose: (sessions) => sessions.stop(),
});
