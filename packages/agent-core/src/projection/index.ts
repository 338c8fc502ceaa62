export { JournalFeed, type JournalFeedOptions, type JournalReader } from "./journal-feed.ts";
