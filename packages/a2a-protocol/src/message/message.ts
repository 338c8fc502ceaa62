/**
 * Messages and their parts in the 1.0 shape (A2A 1.0.1, data model "Task, message, events"), the only shape the
 * rest of this package works with. The 0.3 wire is translated to and from it in `v0-3/`.
 */

/** Free-form extension data, keyed by extension URI or caller-chosen names. */
export type Metadata = { readonly [key: string]: unknown };

/** Who made a message: `ROLE_USER` flows from client to server, `ROLE_AGENT` from server to client. */
export type Role = "ROLE_USER" | "ROLE_AGENT";

interface PartBase {
  readonly metadata?: Metadata;
  readonly filename?: string;
  /** IANA media type; meaningful for every kind of part. */
  readonly mediaType?: string;
}

/** Plain text. */
export interface TextPart extends PartBase {
  readonly text: string;
}
/** An inline file, base64. */
export interface RawPart extends PartBase {
  readonly raw: string;
}
/** A file by address. */
export interface UrlPart extends PartBase {
  readonly url: string;
}
/** Structured data: any JSON value. */
export interface DataPart extends PartBase {
  readonly data: unknown;
}

/** One piece of content: exactly one of `text`, `raw`, `url` or `data` is present. */
export type Part = TextPart | RawPart | UrlPart | DataPart;

/** One message of a conversation. */
export interface Message {
  /** Chosen by the creator. */
  readonly messageId: string;
  readonly role: Role;
  /** At least one. */
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: Metadata;
  /** URIs of the extensions present in this message. */
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}
