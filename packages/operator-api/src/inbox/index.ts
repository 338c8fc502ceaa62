export { addInboxItem, deliverInboxItem, type InboxRow, type InboxService, inboxRoutes, listInbox } from "./routes.ts";
