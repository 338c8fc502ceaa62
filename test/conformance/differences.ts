/** Where the service does something else than the protocol on purpose, and no single requirement says so. */

/** One deliberate difference; a test shows it by its id, as one shows a requirement. */
export interface Difference {
  /** `DEV-…` */
  readonly id: string;
  readonly version: "0.3" | "1.0" | "both";
  readonly protocol: string;
  readonly service: string;
  /** The document or ruling that wins. */
  readonly wins: string;
}

/** All of them. */
export const differences: readonly Difference[] = [
  {
    id: "DEV-cancel-terminal",
    version: "0.3",
    protocol: "Cancelling a task that is over is TaskNotCancelable.",
    service: "The Task is returned as it is. 1.0 answers the error, except for a canceled task, which is returned.",
    wins: "document 1; ruling A8",
  },
  {
    id: "DEV-unknown-task",
    version: "0.3",
    protocol: "A message that names an unknown task is TaskNotFound.",
    service: "It starts a new task.",
    wins: "document 1; ruling A9",
  },
  {
    id: "DEV-task-not-waiting",
    version: "0.3",
    protocol: "A message to a task that is over is an error, one to a task at work belongs to it.",
    service: "Either starts a new task in that task's context.",
    wins: "document 1; ruling A9",
  },
  {
    id: "DEV-blocking-default",
    version: "0.3",
    protocol: "Without `blocking` the server may answer before the task is over.",
    service: "It waits until the task is over or needs somebody; `blocking: false` does not wait.",
    wins: "document 1; ruling A10",
  },
  {
    id: "DEV-working-first",
    version: "both",
    protocol: "A new task is submitted, then working.",
    service: "A new task is working at once, also while it waits for its turn.",
    wins: "document 1; ruling A5",
  },
  {
    id: "DEV-short-message",
    version: "0.3",
    protocol: "`kind` and `messageId` are required.",
    service: "A message without `kind` may leave out its id, and a text part its `kind`.",
    wins: "document 1; ruling A4b",
  },
  {
    id: "DEV-task-data",
    version: "0.3",
    protocol: "A Task has no `data`, a data part no `mimeType`.",
    service: "A Task's `data` tells usage and duration, a data part its type at `mimeType` and in its metadata.",
    wins: "document 1; rulings A11, A12",
  },
  {
    id: "DEV-resubscribe-terminal",
    version: "0.3",
    protocol: "Nothing is said of resubscribing to a task that is over.",
    service: "The Task, its final frame, and the end of the stream.",
    wins: "ruling A7",
  },
  {
    id: "DEV-subscribe-cursor",
    version: "1.0",
    protocol: "Subscribing to a task that is over is UnsupportedOperation.",
    service: "With a cursor from before the end it brings what is left of the stream; without one it is that error.",
    wins: "ruling A6b",
  },
  {
    id: "DEV-rest-0-3",
    version: "0.3",
    protocol: "Every transport stands on the card.",
    service: "HTTP+JSON is served under `/v1` and `/a2a` and not on the card.",
    wins: "ruling A2; docs/decisions/protocol-package.md",
  },
  {
    id: "DEV-busy",
    version: "both",
    protocol: "Errors of JSON-RPC come with HTTP 200.",
    service: "What is refused for want of room is -32603 with HTTP 429 or 503 and Retry-After.",
    wins: "rulings A9, S7; docs/decisions/refusals.md",
  },
  {
    id: "DEV-detail",
    version: "both",
    protocol: "Errors of HTTP+JSON are a google.rpc.Status.",
    service:
      "What the doors refuse (401, 403, 404 and 405 of a path, 413, 415) has a `detail` in its body; below `/v1` the error of a chat API stands beside it.",
    wins: "ruling A4",
  },
  {
    id: "DEV-newer-codes",
    version: "0.3",
    protocol: "0.3 has no ExtensionSupportRequired and no VersionNotSupported.",
    service: "-32008 and -32009 are used in both versions.",
    wins: "ruling A4",
  },
  {
    id: "DEV-stale-prompt",
    version: "both",
    protocol: "There is no error for the answer to a question that nobody asks any more.",
    service: "It is -32002.",
    wins: "ruling A13",
  },
  {
    id: "DEV-components",
    version: "both",
    protocol: "Nothing is said of structured content beside the answer.",
    service: "What a tool shows is an artifact of its own, beside the one that is the answer.",
    wins: "docs/decisions/components-are-artifacts.md",
  },
];
