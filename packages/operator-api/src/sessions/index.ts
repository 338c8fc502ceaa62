export { sessions } from "./resource.ts";
export type { SessionsService } from "./routes.ts";
export { sessionOf, sessionSchema } from "./schema.ts";
