import { defineResource } from "../resource/index.ts";
import {
  editSession,
  exportSession,
  findInSession,
  listSessions,
  listSessionTurns,
  readSession,
  readSessionFile,
  sessionsRoutes,
} from "./routes.ts";

/** The conversations of the operator. */
export const sessions = defineResource({
  name: "sessions",
  feature: "sessions",
  definitions: [
    listSessions,
    readSession,
    editSession,
    listSessionTurns,
    readSessionFile,
    findInSession,
    exportSession,
  ],
  topics: [
    {
      topic: "session.changed",
      when: "A session is new, has another turn or title, or was deleted, and lists show it",
      data: "`session_id`",
    },
  ],
  routes: sessionsRoutes,
});
