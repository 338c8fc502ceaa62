export { sessions } from "./feature.ts";
export type { MatchPage, TurnMatch } from "./find-in-turns.ts";
export { forPeople } from "./for-people.ts";
export { INCOGNITO_IDLE_MS, IncognitoTurns, type IncognitoTurnsOptions } from "./incognito-turns.ts";
export type { FileContent, FilePlace } from "./message-file.ts";
export { readTaskTurn, readTurns, type TaskTurn, type TurnPage, type TurnRange } from "./read-turns.ts";
export type { SessionRemovalOptions } from "./removal/removal-options.ts";
export type { ForgottenCounts, RemoveSession } from "./removal/remove-session.ts";
export { SessionRemoval } from "./removal/session-removal.ts";
export { type SessionCommandParts, sessionCommands } from "./session-commands.ts";
export { SessionEdits, type SessionEditsOptions } from "./session-edits.ts";
export {
  IncognitoSessionError,
  RemovalUnfinishedError,
  TooManyPinnedError,
  TooManyVersionsError,
  UnknownFileError,
  UnknownSessionError,
  UnknownTurnError,
} from "./session-error.ts";
export { SessionIndex, type SessionIndexOptions } from "./session-index.ts";
export { sessionMarkdown } from "./session-markdown.ts";
export { openingOf } from "./session-row.ts";
export { SessionServices } from "./session-services.ts";
export {
  type AcceptedMessage,
  type SessionMessage,
  SessionSteering,
  type SessionSteeringOptions,
} from "./session-steering.ts";
export type { MessageFile, SessionTurn, TurnArtifact, TurnMessage, TurnVersion } from "./session-turn.ts";
export { type AskAgain, MOST_VERSIONS, SessionVersions } from "./session-versions.ts";
export type { SessionCursor, SessionFilter, SessionPage, SessionRecord, SessionsOptions } from "./sessions.ts";
export { Sessions } from "./sessions.ts";
export { sessionsSection } from "./sessions-section.ts";
export type { TurnImage, TurnToolCall } from "./turn-steps.ts";
