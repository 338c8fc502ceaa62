export { commandOutput } from "./resource.ts";
export type { CommandOutputService } from "./routes.ts";
