export { type SessionEditsService, sessionEditsDefinitions, sessionEditsRoutes } from "./routes.ts";
