export { compactMessages, KEEP_AFTER_OVERFLOW, shortenResults } from "./compact.ts";
export { type CompactionSectionValue, compactionSection, readTrigger } from "./compaction-section.ts";
export {
  CHARS_PER_TOKEN,
  type CompactionSettings,
  type CompactionTrigger,
  type ContextSettings,
  DEFAULT_CONTEXT_SETTINGS,
  DEFAULT_WINDOW_TOKENS,
  type PruningSettings,
} from "./context-settings.ts";
export { ConversationCache } from "./conversation-cache.ts";
export {
  AWAITING_A_PERSON,
  addRecalled,
  isTainted,
  MAX_CALLS,
  NO_REFS,
  readHistory,
  refsOf,
  showHistory,
  showMessage,
} from "./history.ts";
export { hasImages, withoutImages } from "./images.ts";
export { inputContent, inputText, MAX_INLINE_FILE_BYTES, UnsupportedContentError } from "./input-content.ts";
export { messageBody } from "./message-body.ts";
export { MessageForms } from "./message-forms.ts";
export { messageBytes } from "./message-size.ts";
export type { OpenConversation } from "./open-conversation.ts";
export { type CompactionPlan, isCompactionDue, planCompaction } from "./plan-compaction.ts";
export { type Fit, fitMessages, newFit } from "./prune.ts";
export { type PruningSectionValue, pruningSection } from "./pruning-section.ts";
export { MAX_BYTES, MAX_MESSAGES, planWindow } from "./shown-window.ts";
export type { History, HistoryItem, StoredMessage, View } from "./stored-message.ts";
export { readSummary, SUMMARY_INSTRUCTION, SUMMARY_TOKENS, summaryRequest, summaryText } from "./summary.ts";
export { type ConversationKey, viewAfter } from "./view-at.ts";
