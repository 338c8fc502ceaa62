/**
 * The chat-completions wire as gateways really send it: nothing may be relied on, so every field is `unknown` until it
 * has been looked at.
 */

/** A JSON object that has not been looked at. */
export interface WireObject {
  readonly [key: string]: unknown;
}

export function asObject(value: unknown): WireObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as WireObject) : undefined;
}

/** The value as text, or the empty text. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value as a count of tokens: a whole number of at least 0. */
export function asCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
