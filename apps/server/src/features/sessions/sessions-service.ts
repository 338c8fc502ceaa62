import { type Sessions, sessionMarkdown } from "@agent-service/agent-core/host";
import type { SessionsService } from "@agent-service/operator-api";

/** The sessions of the engine, for the operator API. `windowOf`: tokens that a model takes. */
export function sessionsService(sessions: Sessions, windowOf: SessionsService["windowOf"]): SessionsService {
  return {
    list: (limit, which) => sessions.list(limit, which),
    read: (id) => sessions.read(id),
    pin: (id, pinned) => sessions.pin(id, pinned),
    rename: (id, title) => sessions.rename(id, title),
    turns: (id, range) => sessions.turns(id, range),
    find: (id, text, after) => sessions.find(id, text, after),
    file: (place) => sessions.file(place),
    windowOf,
    markdown: (id) => sessionMarkdown(sessions, id),
  };
}
