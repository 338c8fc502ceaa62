import { type Sessions, sessionMarkdown } from "@agent-service/agent-core";
import type { SessionsService } from "@agent-service/operator-api";

/** The sessions of the engine, as the operator API asks for them. */
export function sessionsService(sessions: Sessions): SessionsService {
  return {
    list: (limit, which) => sessions.list(limit, which),
    read: (id) => sessions.read(id),
    rename: (id, title) => sessions.rename(id, title),
    turns: (id, range) => sessions.turns(id, range),
    markdown: (id) => sessionMarkdown(sessions, id),
  };
}
