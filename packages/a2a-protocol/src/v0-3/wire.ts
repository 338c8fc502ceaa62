/**
 * The 0.3 wire (B12, B18; A2A 0.3.0 JSON schema). Every object carries a
 * `kind`. Nothing outside this folder works with these shapes.
 */
import type { Metadata } from "../message/index.ts";

export type WirePart =
  | { readonly kind: "text"; readonly text: string; readonly metadata?: Metadata }
  | {
      readonly kind: "file";
      readonly file: (
        | { readonly bytes: string; readonly uri?: undefined }
        | { readonly uri: string; readonly bytes?: undefined }
      ) & { readonly name?: string; readonly mimeType?: string };
      readonly metadata?: Metadata;
    }
  | {
      readonly kind: "data";
      readonly data: { readonly [key: string]: unknown };
      /** Consumers find a form by it (B14). Also in `metadata.mimeType` (A12). */
      readonly mimeType?: string;
      readonly metadata?: Metadata;
    };

export interface WireMessage {
  readonly kind: "message";
  readonly messageId: string;
  readonly role: "user" | "agent";
  readonly parts: readonly WirePart[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: Metadata;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export type WireTaskState =
  | "submitted"
  | "working"
  | "input-required"
  | "completed"
  | "canceled"
  | "failed"
  | "rejected"
  | "auth-required"
  | "unknown";

export interface WireTaskStatus {
  readonly state: WireTaskState;
  readonly message?: WireMessage;
  readonly timestamp?: string;
}

export interface WireArtifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly WirePart[];
  readonly metadata?: Metadata;
  readonly extensions?: readonly string[];
}

/** What this service adds to 0.3's task (A11). */
export interface WireTaskData {
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly total_tokens: number };
  readonly durationMs?: number;
}

export interface WireTask {
  readonly kind: "task";
  readonly id: string;
  readonly contextId: string;
  readonly status: WireTaskStatus;
  readonly artifacts?: readonly WireArtifact[];
  readonly history?: readonly WireMessage[];
  readonly metadata?: Metadata;
  readonly data?: WireTaskData;
}

/** A change of status. `final` ends the stream (terminal states and `input-required`). */
export interface WireStatusUpdate {
  readonly kind: "status-update";
  readonly taskId: string;
  readonly contextId: string;
  readonly status: WireTaskStatus;
  readonly final: boolean;
  readonly metadata?: Metadata;
}

export interface WireArtifactUpdate {
  readonly kind: "artifact-update";
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: WireArtifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly metadata?: Metadata;
}

/** What a stream carries. */
export type WireFrame = WireTask | WireMessage | WireStatusUpdate | WireArtifactUpdate;

/** A webhook, without its task. */
export interface WirePushConfig {
  readonly url: string;
  readonly id?: string;
  readonly token?: string;
  readonly authentication?: { readonly schemes: readonly string[]; readonly credentials?: string };
}

/** A webhook and its task. */
export interface WireTaskPushConfig {
  readonly taskId: string;
  readonly pushNotificationConfig: WirePushConfig;
}
