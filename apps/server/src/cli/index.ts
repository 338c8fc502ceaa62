export { StartupError, type StartupErrorCode } from "./startup-error.ts";
