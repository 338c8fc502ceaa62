/**
 * JSON text of any value at all, bounded while it is written: a stringifier that cannot throw, recurse without end or
 * build a text much longer than asked for.
 */
import { clipText } from "./clip-text.ts";

/** Levels deeper than this are named, not shown. */
const MAX_DEPTH = 64;

interface Writer {
  readonly parts: string[];
  readonly open: Set<object>;
  readonly stringChars: number;
  left: number;
}

function write(writer: Writer, text: string): void {
  writer.parts.push(text);
  writer.left -= text.length;
}

function quoted(writer: Writer, text: string): string {
  return JSON.stringify(clipText(text, writer.stringChars));
}

function writeList(writer: Writer, items: Iterable<unknown>, depth: number): void {
  write(writer, "[");
  let first = true;
  for (const item of items) {
    if (!first) write(writer, ",");
    first = false;
    if (writer.left <= 0) {
      write(writer, '"[… more items not shown]"');
      break;
    }
    writeValue(writer, item, depth + 1);
  }
  write(writer, "]");
}

function writeMembers(writer: Writer, members: Iterable<readonly [unknown, unknown]>, depth: number): void {
  write(writer, "{");
  let first = true;
  for (const [key, member] of members) {
    if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
    if (!first) write(writer, ",");
    first = false;
    if (writer.left <= 0) {
      write(writer, '"…":"[more properties not shown]"');
      break;
    }
    write(writer, `${quoted(writer, typeof key === "string" ? key : describeValue(key, 200))}:`);
    writeValue(writer, member, depth + 1);
  }
  write(writer, "}");
}

/** Own properties one at a time: a huge object is not copied, and a getter that throws costs its own value only. */
function* membersOf(value: object): Generator<readonly [string, unknown]> {
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    let member: unknown;
    try {
      member = (value as { [key: string]: unknown })[key];
    } catch (error) {
      member = `[not readable: ${error instanceof Error ? error.message : "it threw"}]`;
    }
    yield [key, member];
  }
}

/** The text of everything that holds nothing else, `undefined` for what must be descended into. */
function leafText(writer: Writer, value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return quoted(writer, value);
    case "number":
      return Number.isFinite(value) ? String(value) : `"${value}"`;
    case "boolean":
      return String(value);
    case "bigint":
      return clipText(value.toString(), writer.stringChars);
    case "undefined":
      return "null";
    case "function":
      return quoted(writer, `[function ${value.name}]`);
    case "symbol":
      return quoted(writer, value.toString());
    case "object":
      break;
  }
  if (value === null) return "null";
  if (value instanceof Error) return quoted(writer, `${value.name}: ${value.message}`);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `"[${value.byteLength} bytes]"`;
  return undefined;
}

function writeObject(writer: Writer, value: object, depth: number): void {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") writeValue(writer, toJSON.call(value, ""), depth + 1);
  else if (Array.isArray(value) || value instanceof Set) writeList(writer, value, depth);
  else writeMembers(writer, value instanceof Map ? value : membersOf(value), depth);
}

function writeValue(writer: Writer, value: unknown, depth: number): void {
  const object = value as object;
  try {
    const text =
      leafText(writer, value) ??
      (writer.open.has(object) ? '"[circular]"' : undefined) ??
      (depth >= MAX_DEPTH ? '"[nested too deep to show]"' : undefined);
    if (text !== undefined) {
      write(writer, text);
      return;
    }
    writer.open.add(object);
    writeObject(writer, object, depth);
  } catch (error) {
    write(writer, quoted(writer, `[not readable: ${error instanceof Error ? error.message : "it threw"}]`));
  }
  writer.open.delete(object);
}

/**
 * Text of `value` for a model: JSON where the value is JSON (`JSON.stringify`'s text, keys in their order), a
 * bracketed description where it is not. `undefined` at the top is `(no result)`, an error its name and message. Stops
 * descending once about `maxChars` characters are written, with a note at that point.
 */
export function describeValue(value: unknown, maxChars: number): string {
  if (value === undefined) return "(no result)";
  if (typeof value === "string") return clipText(value, maxChars);
  if (value instanceof Error) return clipText(`${value.name}: ${value.message}`, maxChars);
  const writer: Writer = { parts: [], open: new Set(), stringChars: maxChars, left: maxChars };
  writeValue(writer, value, 0);
  return writer.parts.join("");
}
