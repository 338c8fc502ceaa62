export { UnknownSessionError } from "./session-error.ts";
export { SessionIndex, type SessionIndexOptions } from "./session-index.ts";
export type { SessionPage, SessionPlace, SessionRecord, SessionsOptions } from "./sessions.ts";
export { Sessions } from "./sessions.ts";
