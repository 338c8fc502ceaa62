export { inbox } from "./resource.ts";
export type { InboxRow, InboxService } from "./routes.ts";
