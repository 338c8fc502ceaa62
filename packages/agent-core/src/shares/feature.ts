import { defineFeature } from "../feature/index.ts";
import { sessions } from "../session/index.ts";
import { Shares } from "./shares.ts";
import { sharesSection } from "./shares-section.ts";

/** Read-only pages of conversations and runs for whoever has their link (O9). */
export const shares = defineFeature({
  name: "shares",
  needs: [sessions],
  sections: [sharesSection],
  topics: ["shares.changed"],
  open: ({ db, clock, bus, redactor, newId, system }, { needs, settings }) =>
    new Shares({
      ...{ db, clock, bus, redactor, newId },
      sessions: needs.sessions.catalog,
      persona: system,
      enabled: () => settings.shares.enabled,
    }),
  forgetSession: (shares, session) => shares.forgetSession(session),
  forgetTasks: (shares, tasks) => shares.forgetTasks(tasks),
  sweep: (shares, now) => shares.sweep(now),
});
