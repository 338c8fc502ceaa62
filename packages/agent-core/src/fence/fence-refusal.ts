import { CodedError } from "../error/index.ts";

/** Why the fence refuses. Stable. */
export type FenceRefusalCode =
  /** The path is blank, too long, too deep, or holds a NUL. */
  | "fence.bad-path"
  /** No project of that name, or the path belongs to none, or to more than one. */
  | "fence.unknown-project"
  | "fence.outside"
  /** Secret-like, or of git's own files. */
  | "fence.denied"
  | "fence.missing"
  | "fence.not-a-file"
  | "fence.not-a-folder"
  | "fence.read-only"
  | "fence.deletes-forbidden"
  /** The operating system refuses it. */
  | "fence.unreadable"
  | "fence.too-large"
  /** Another process changed it between two looks. */
  | "fence.changed";

/** Why something in a project is not reached. The message is for the model: it names the project and the path as given. */
export class FenceRefusal extends CodedError<FenceRefusalCode> {
  override readonly name = "FenceRefusal";

  override get retryable(): boolean {
    return this.code === "fence.changed";
  }
}
