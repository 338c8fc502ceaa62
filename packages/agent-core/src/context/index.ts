export { compactMessages, KEEP_AFTER_OVERFLOW } from "./compact.ts";
export type { History, HistoryItem, StoredMessage } from "./history.ts";
export { AWAITING_A_PERSON, MAX_CALLS, messageBody, readHistory, showHistory, showMessage } from "./history.ts";
export { inputContent, inputText, MAX_INLINE_FILE_BYTES, UnsupportedContentError } from "./input-content.ts";
