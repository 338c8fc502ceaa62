export { watches } from "./resource.ts";
export type { WatchesService } from "./routes.ts";
export type { VerifierRow, WatchFireRow, WatchRow } from "./schema.ts";
