export { inbox } from "./feature.ts";
export { Inbox, type InboxOptions } from "./inbox.ts";
export { InboxError, type InboxErrorCode } from "./inbox-error.ts";
export {
  INBOX_LIMITS,
  INBOX_PRIORITIES,
  type InboxAddition,
  type InboxFilter,
  type InboxItem,
  type InboxPriority,
  type NewInboxItem,
} from "./inbox-item.ts";
export { inboxTools } from "./inbox-tools.ts";
