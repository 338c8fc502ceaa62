export { soul } from "./resource.ts";
export type { SoulService, SoulVersionRow } from "./routes.ts";
