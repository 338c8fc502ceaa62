import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { type JsonLimits, parseJson } from "../../json/index.ts";

/**
 * What a message may be. The depth is what the recursion of those who read it bears. As many values, each with a name of its
 * own, are parsed in less than a tenth of a second, as is one text of 10 MiB.
 */
const LIMITS: JsonLimits = Object.freeze({ maxLength: 10 * 1024 * 1024, maxDepth: 256, maxValues: 50_000 });
/** Characters at both ends of a message in which its id is looked for. */
const ENDS_CHARS = 256;
const REFUSED_CODE = -32_603;
const OPENING_BRACE = 0x7b;

/** What a line of a server holds. */
export type LineContent =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  /** A message beyond the limits. `message` ends the request that it may answer. */
  | { readonly kind: "refused"; readonly reason: string; readonly message: JSONRPCMessage | undefined }
  | { readonly kind: "empty" }
  | { readonly kind: "garbage" };

/** The whole number or short text that is a message's id, as far as it is seen without reading the message. */
function idOf(text: string): number | string | undefined {
  // An id that is none of the message's own is one that the server could have answered as well.
  const ends = `${text.slice(0, ENDS_CHARS)} ${text.slice(-ENDS_CHARS)}`;
  const [, number, name] = /"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,64})")/.exec(ends) ?? [];
  return number === undefined ? name : Number(number);
}

/** Reads a line. Never throws. */
export function readMessage(line: Buffer): LineContent {
  const text = line.toString("utf8").trim();
  if (text === "") return { kind: "empty" };
  if (text.charCodeAt(0) !== OPENING_BRACE) return { kind: "garbage" };
  const parsed = parseJson(text, LIMITS);
  if (parsed.ok) {
    const message = parsed.value as Record<string, unknown>;
    const isMessage = message.jsonrpc === "2.0" && ("method" in message || "result" in message || "error" in message);
    return isMessage ? { kind: "message", message: message as unknown as JSONRPCMessage } : { kind: "garbage" };
  }
  if (parsed.code === "json.syntax") return { kind: "garbage" };
  const id = idOf(text);
  const error = { code: REFUSED_CODE, message: `the server's answer was refused: ${parsed.message}` };
  return {
    ...{ kind: "refused", reason: parsed.message },
    message: id === undefined ? undefined : ({ jsonrpc: "2.0", id, error } as JSONRPCMessage),
  };
}
