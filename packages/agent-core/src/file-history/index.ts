export { fileChanges, fileHistory } from "./feature.ts";
export type {
  ChangeOperation,
  ChangeOrigin,
  ChangeOwner,
  FileChange,
  IrreversibleReason,
  NewChange,
} from "./file-change.ts";
export { FileChanges, type ListedChange, type Undone, type UndoRequest } from "./file-changes.ts";
export { FileHistory, type MadeChange, type WantedChange } from "./file-history.ts";
export { FileHistoryError, type FileHistoryErrorCode } from "./file-history-error.ts";
export { type FileState, MOST_FILE_BYTES, stateOf } from "./file-state.ts";
export type { FoldedDiff, FoldedFile } from "./fold-changes.ts";
export { type TextPatch, textPatch } from "./text-patch.ts";
export type { UndoneFile } from "./undo.ts";
