import { CodedError } from "../error/index.ts";

/**
 * - `git.timeout`: it took longer than it may.
 * - `git.not-installed`: there is no program `git`.
 * - `git.unreadable`: this repository cannot be read, or not without running what its configuration names.
 */
export type GitErrorCode = "git.timeout" | "git.not-installed" | "git.unreadable";

/** A repository was not read. The message is a reason for people; it holds no path. */
export class GitError extends CodedError<GitErrorCode> {
  override readonly name = "GitError";

  override get retryable(): boolean {
    return this.code === "git.timeout";
  }
}
