export { type AskRoutes, askRoutes, type TestAnswer } from "./ask-routes.ts";
