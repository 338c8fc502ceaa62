import type { Row, Value } from "../database/index.ts";
import type { CommittedEvent } from "../event/index.ts";

/** A webhook of a task, as it was registered (W1). Token and credentials are secrets. */
export interface PushConfig {
  readonly task: string;
  /** The registrant's class: it decides who sees the config and what is sent (A13, A16). */
  readonly class: string;
  /** Unique among the task's configs of this class. */
  readonly id: string;
  /** The task's conversation. */
  readonly context: string;
  /** Version of the protocol it was registered in, which decides the form of the POSTs. */
  readonly version: string;
  /** As it was given. */
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** How far a webhook was notified. Numbers are those of the task's events. */
export interface DeliveryProgress {
  /** The last event that was sent or given up. */
  cursor: number;
  /** The event being sent; 0: none was begun. */
  target: number;
  /** Of the POSTs of `target`, the last that is done; 0: none. */
  step: number;
  /** Failures of the POST being tried. */
  failures: number;
  /** When it is tried again, in epoch milliseconds. */
  nextAt: number;
  /** When the task's end was sent, in epoch milliseconds; null: there is something to send, or will be. */
  settledAt: number | null;
}

/** A config and its progress. */
export interface StoredPushConfig {
  readonly config: PushConfig;
  /** Distinguishes this registration from an earlier one under the same id. Epoch milliseconds, made unique. */
  readonly registered: number;
  readonly progress: DeliveryProgress;
}

export interface WebhookPost {
  /** The number of its event. */
  readonly seq: number;
  /** All of them, with the one that names the event, the same in every attempt (W2). */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** An event to notify a webhook of. */
export interface WebhookUpdate {
  readonly task: { readonly id: string; readonly context: string };
  readonly event: CommittedEvent;
  /** What a completed task made, as events in order; empty for every other event. */
  readonly artifacts: readonly CommittedEvent[];
}

/**
 * Writes an update as the POSTs of a config: in increasing order of their numbers, the last being the event's own.
 * Called once per attempt; the same update gives the same POSTs.
 */
export type RenderWebhook = (config: PushConfig, update: WebhookUpdate) => readonly WebhookPost[];

const optional = (value: Value | undefined): string | undefined => (typeof value === "string" ? value : undefined);

/** Reads a row with the columns of the table in their order. */
export function pushConfigOfRow(row: Row): StoredPushConfig {
  const [task, callerClass, id, context, version, url, token, scheme, credentials, at, ...progress] = row;
  const [cursor, target, step, failures, nextAt, settledAt] = progress;
  const secret = optional(token);
  const name = optional(scheme);
  const given = optional(credentials);
  return {
    config: {
      task: String(task),
      class: String(callerClass),
      id: String(id),
      context: String(context),
      version: String(version),
      url: String(url),
      ...(secret === undefined ? {} : { token: secret }),
      ...(name === undefined
        ? {}
        : { authentication: { scheme: name, ...(given === undefined ? {} : { credentials: given }) } }),
    },
    registered: Number(at),
    progress: {
      cursor: Number(cursor),
      target: Number(target),
      step: Number(step),
      failures: Number(failures),
      nextAt: Number(nextAt),
      settledAt: settledAt === null ? null : Number(settledAt),
    },
  };
}

/** The progress of a new registration. */
export function noProgress(): DeliveryProgress {
  return { cursor: 0, target: 0, step: 0, failures: 0, nextAt: 0, settledAt: null };
}
