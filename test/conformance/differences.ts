/** Deliberate deviations from the protocol that belong to no single requirement. */

/** One deliberate difference; a test shows it by its id, as one shows a requirement. */
export interface Difference {
  /** `DEV-…` */
  readonly id: string;
  readonly version: "0.3" | "1.0" | "both";
  readonly protocol: string;
  readonly service: string;
  /** The requirement that wins. */
  readonly wins: string;
}

/** All of them. */
export const differences: readonly Difference[] = [
  {
    id: "DEV-cancel-terminal",
    version: "0.3",
    protocol: "Cancelling a task that is over is TaskNotCancelable.",
    service: "The Task is returned as it is. 1.0 answers the error, except for a canceled task, which is returned.",
    wins: "A8",
  },
  {
    id: "DEV-unknown-task",
    version: "0.3",
    protocol: "A message that names an unknown task is TaskNotFound.",
    service: "It starts a new task.",
    wins: "A9",
  },
  {
    id: "DEV-task-not-waiting",
    version: "0.3",
    protocol: "A message to a task that is over is an error, one to a task at work belongs to it.",
    service: "Either starts a new task in that task's context.",
    wins: "A9",
  },
  {
    id: "DEV-blocking-default",
    version: "0.3",
    protocol: "Without `blocking` the server may answer before the task is over.",
    service: "It waits until the task is over or needs a person; `blocking: false` does not wait.",
    wins: "A10",
  },
  {
    id: "DEV-working-first",
    version: "both",
    protocol: "A new task is submitted, then working.",
    service: "A new task is working at once, also while it waits for its turn.",
    wins: "A5",
  },
  {
    id: "DEV-short-message",
    version: "0.3",
    protocol: "`kind` and `messageId` are required.",
    service: "A message without `kind` may leave out its id, and a text part its `kind`.",
    wins: "A19",
  },
  {
    id: "DEV-task-data",
    version: "0.3",
    protocol: "A Task has no `data`, a data part no `mimeType`.",
    service: "A Task's `data` has usage and duration, a data part its type at `mimeType` and in its metadata.",
    wins: "A11, A12",
  },
  {
    id: "DEV-resubscribe-terminal",
    version: "0.3",
    protocol: "Nothing is stated about resubscribing to a task that is over.",
    service: "The Task, its final frame, and the end of the stream.",
    wins: "A7",
  },
  {
    id: "DEV-resubscribe-parked",
    version: "0.3",
    protocol: "Nothing is stated about resubscribing to a task that waits for a person.",
    service: "The Task, its final frame once more, and the end of the stream. In 1.0 the stream stays open.",
    wins: "A7",
  },
  {
    id: "DEV-pause-closes",
    version: "1.0",
    protocol: "A stream closes when its task reaches a terminal state.",
    service:
      "The stream of a message closes also where its task waits for a person, and the stream of the reply continues; a subscription stays open.",
    wins: "A6, A7",
  },
  {
    id: "DEV-subscribe-cursor",
    version: "1.0",
    protocol: "Subscribing to a task that is over is UnsupportedOperation.",
    service: "With a cursor from before the end it brings what is left of the stream; without one it is that error.",
    wins: "A20",
  },
  {
    id: "DEV-rest-0-3",
    version: "0.3",
    protocol: "Every transport is on the card.",
    service: "HTTP+JSON is served under `/v1` and `/a2a` and not on the card.",
    wins: "A2; docs/decisions/protocol-package.md",
  },
  {
    id: "DEV-busy",
    version: "both",
    protocol: "Errors of JSON-RPC come with HTTP 200.",
    service: "What is refused for want of room is -32603 with HTTP 429 or 503 and Retry-After.",
    wins: "A9, S7; docs/decisions/refusals.md",
  },
  {
    id: "DEV-detail",
    version: "both",
    protocol: "Errors of HTTP+JSON are a google.rpc.Status.",
    service:
      "What access control refuses (400 of a Host, 401, 403, 404 and 405 of a path, 413, 415) has a `detail` in its body; below `/v1` the error of a chat API is beside it.",
    wins: "A4",
  },
  {
    id: "DEV-newer-codes",
    version: "0.3",
    protocol: "0.3 has no ExtensionSupportRequired and no VersionNotSupported.",
    service: "-32008 and -32009 are used in both versions.",
    wins: "A4",
  },
  {
    id: "DEV-stale-prompt",
    version: "both",
    protocol: "There is no error for the answer to a question that is no longer open.",
    service: "It is -32002.",
    wins: "A13",
  },
  {
    id: "DEV-components",
    version: "both",
    protocol: "Nothing is stated about structured content beside the answer.",
    service: "What a tool shows is an artifact of its own, beside the one that is the answer.",
    wins: "docs/decisions/components-are-artifacts.md",
  },
  {
    id: "DEV-bare-post",
    version: "both",
    protocol: "Bodies of HTTP+JSON are JSON with its own media type.",
    service:
      "A POST without body and content type is an empty object, as official clients subscribe and cancel, unless a page of another site may have sent it.",
    wins: "A4",
  },
  {
    id: "DEV-batch",
    version: "both",
    protocol: "JSON-RPC 2.0 has batches.",
    service: "A batch is -32600.",
    wins: "A4",
  },
  {
    id: "DEV-notification",
    version: "both",
    protocol: "JSON-RPC 2.0 answers a notification with nothing, whatever becomes of it.",
    service:
      "204. What could not be carried out for want of room, or by a fault of the service, has that HTTP status (429, 503, 500) and no body.",
    wins: "docs/decisions/a2a-clients.md",
  },
  {
    id: "DEV-late-error",
    version: "both",
    protocol: "An error of HTTP+JSON has its HTTP status.",
    service:
      "A send that waits longer than 15 seconds begins its answer with white space; a later failure is in the body under 200.",
    wins: "A10",
  },
  {
    id: "DEV-bounds",
    version: "both",
    protocol: "Requests have no bounds.",
    service:
      "A body has at most 10 MiB (413), 64 levels and 100,000 values (-32600), comes within 30 seconds (408) and in no content coding (415); an id has at most 1,024 characters.",
    wins: "A4, S7",
  },
  {
    id: "DEV-webhook-0-3",
    version: "0.3",
    protocol: "A webhook is sent the Task.",
    service: "It is sent status updates; the last one of a completed task brings its outputs as `artifact`.",
    wins: "W1",
  },
  {
    id: "DEV-webhook-late",
    version: "both",
    protocol: "Nothing is stated about a webhook registered for a task that is over.",
    service: "It is sent that state at once.",
    wins: "W1",
  },
  {
    id: "DEV-file-by-address",
    version: "both",
    protocol: "A part may be a file by its address.",
    service: "It is -32005; the bytes have to be sent. Of those, images and text up to 256 KiB are taken.",
    wins: "A12",
  },
  {
    id: "DEV-message-id",
    version: "both",
    protocol: "The id of a message may identify a repetition.",
    service: "It does not; an idempotency key does.",
    wins: "A15",
  },
  {
    id: "DEV-approvals",
    version: "both",
    protocol: "A reply to a task that waits for input goes on with it.",
    service:
      "Only the operator answers an approval: what a federation caller replies leaves the task waiting and shows no arguments.",
    wins: "A13",
  },
];
