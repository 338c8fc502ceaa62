import { isSecretName } from "./secret-name.ts";

/** Most values copied out of one structure; the rest is left out. */
export const MAX_VALUES = 100_000;
/** Levels deeper than this are left out. */
const MAX_DEPTH = 64;

interface Copying {
  readonly text: (text: string) => string;
  readonly mask: string;
  readonly open: Set<object>;
  left: number;
}

/** The value under a secret's name: absence and switches stay readable, everything else is masked. */
function underSecretName(copying: Copying, value: unknown): unknown {
  if (value === undefined || value === null || value === "" || typeof value === "boolean") return value;
  return copying.mask;
}

/** Sets an own property, `__proto__` included, without touching a prototype or losing a namesake. */
function put(target: object, key: string, value: unknown): void {
  let name = key;
  for (let n = 2; Object.hasOwn(target, name); n++) name = `${key} (${n})`;
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function copyError(copying: Copying, error: Error, depth: number): object {
  const { name, message, stack, code, cause } = error as Error & { code?: unknown };
  const copy: { [key: string]: unknown } = { name: copying.text(String(name)), message: copying.text(String(message)) };
  if (typeof stack === "string") copy.stack = copying.text(stack);
  if (code !== undefined) copy.code = copyValue(copying, code, depth + 1);
  if (cause !== undefined) copy.cause = copyValue(copying, cause, depth + 1);
  return copy;
}

function copyObject(copying: Copying, value: object, depth: number): unknown {
  if (value instanceof Error) return copyError(copying, value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return copyValue(copying, toJSON.call(value, ""), depth + 1);
  if (Array.isArray(value) || value instanceof Set) {
    const items: unknown[] = [];
    for (const item of value) {
      if (copying.left <= 0) break;
      items.push(copyValue(copying, item, depth + 1));
    }
    return items;
  }
  const copy = {};
  const members: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  for (const [key, member] of members) {
    if (copying.left <= 0) break;
    if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
    const name = String(key);
    put(
      copy,
      copying.text(name),
      isSecretName(name) ? underSecretName(copying, member) : copyValue(copying, member, depth + 1),
    );
  }
  return copy;
}

function copyValue(copying: Copying, value: unknown, depth: number): unknown {
  copying.left--;
  if (typeof value === "string") return copying.text(value);
  if (typeof value === "boolean" || value === null) return value;
  // A secret may be all digits.
  if (typeof value === "number" || typeof value === "bigint") {
    const digits = String(value);
    const shown = copying.text(digits);
    return shown === digits && typeof value === "number" && Number.isFinite(value) ? value : shown;
  }
  if (typeof value !== "object") return value === undefined ? null : copying.text(`[${typeof value}]`);
  if (copying.open.has(value)) return "[circular]";
  if (depth >= MAX_DEPTH || copying.left <= 0) return "[not shown]";
  copying.open.add(value);
  try {
    return copyObject(copying, value, depth);
  } catch {
    return "[not readable]";
  } finally {
    copying.open.delete(value);
  }
}

/** A copy of `value` as plain JSON, its texts passed through `text`, its secrets by name replaced by `mask`. */
export function redactValue(value: unknown, text: (text: string) => string, mask: string): unknown {
  return copyValue({ text, mask, open: new Set(), left: MAX_VALUES }, value, 0);
}
