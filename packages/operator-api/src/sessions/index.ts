export {
  editSession,
  exportSession,
  listSessions,
  listSessionTurns,
  readSession,
  type SessionsService,
  sessionsDefinitions,
  sessionsRoutes,
} from "./routes.ts";
export { sessionOf, sessionSchema, sessionTurnSchema, turnOf, usageOf } from "./schema.ts";
