/** Writing server-sent events (HTML living standard, "Server-sent events"). */

/** One server-sent event to be written. */
export interface SseEventInput {
  /** Any lines; CR, LF and CRLF all become line breaks of the event. */
  readonly data: string;
  /** Cursor of the event; must hold no line break and no NUL. */
  readonly id?: string;
  /** Name of the event; must hold no line break. */
  readonly event?: string;
}

/** A comment line: keeps a connection alive and is ignored by clients. */
export const SSE_KEEP_ALIVE = ":\n\n";

/** The text of one event. Throws `RangeError` for an id or a name that would break the framing. */
export function encodeSseEvent({ data, id, event }: SseEventInput): string {
  let text = "";
  if (id !== undefined) text += field("id", id);
  if (event !== undefined) text += field("event", event);
  for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`;
  return `${text}\n`;
}

/** The hot path: a numbered event whose data is one line, as every JSON text is. */
export function encodeJsonEvent(seq: number, json: string): string {
  return `id: ${seq}\ndata: ${json}\n\n`;
}

function field(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new RangeError(`An event's ${name} is one line without NUL`);
  return `${name}: ${value}\n`;
}
