export { events } from "./resource.ts";
export type { EventsService } from "./routes.ts";
