export type { TurnPage, TurnRange } from "./read-turns.ts";
export { type SessionCommandParts, sessionCommands } from "./session-commands.ts";
export { SessionEdits, type SessionEditsOptions } from "./session-edits.ts";
export { UnknownSessionError, UnknownTurnError } from "./session-error.ts";
export { SessionIndex, type SessionIndexOptions } from "./session-index.ts";
export { sessionMarkdown } from "./session-markdown.ts";
export type { SaidInTurn, SessionTurn, TurnArtifact, TurnToolCall } from "./session-turn.ts";
export type { SessionPage, SessionPlace, SessionRecord, SessionsOptions } from "./sessions.ts";
export { Sessions } from "./sessions.ts";
