import { CodedError } from "../error/index.ts";

export type FileHistoryErrorCode =
  /** What the file held could not be kept: there is no room on the disk. */
  | "file-history.no-room"
  /** Another process changed the file again and again. */
  | "file-history.changed"
  /** The call was canceled before it changed anything. */
  | "file-history.canceled"
  /** This conversation has not read the file as it is. */
  | "file-history.not-read"
  | "file-history.missing"
  /** What an edit names is not in the file as it must be. */
  | "file-history.no-edit"
  /** A change, or a task, that is not known. */
  | "file-history.unknown"
  /** The turn still runs. */
  | "file-history.running"
  /** It is not known whether the change was made. */
  | "file-history.unclear"
  /** More than one undo takes. */
  | "file-history.too-many";

/** What changing files and taking changes back refuses; nothing changed. The message is for people and for the model. */
export class FileHistoryError extends CodedError<FileHistoryErrorCode> {
  override readonly name = "FileHistoryError";

  override get retryable(): boolean {
    return this.code === "file-history.changed" || this.code === "file-history.running";
  }
}
