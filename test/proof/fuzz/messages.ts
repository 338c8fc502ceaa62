/** Messages of both versions: valid ones, as scripts of the scripted model, and invalid ones. */
import type { Random } from "../random.ts";
import type { Version } from "./fuzz-request.ts";
import { strangeText, strangeValue } from "./values.ts";

/** A text that lets the scripted model do something, and ends soon. */
export function script(random: Random): string {
  const kind = random.next();
  if (kind < 0.25) return `/say ${random.pick(["done", "\u6f22\u5b57", "one two three", "x".repeat(2_000)])}`;
  if (kind < 0.35) return `/stream ${random.int(1, 40)}`;
  if (kind < 0.45) return `/call calculator {"expression":"${random.int(0, 99)}*7"}\n/then\n/say counted`;
  if (kind < 0.5) return "/call current_time {}\n/call calculator {broken\n/call no_such_tool {}";
  if (kind < 0.55) return `/wait ${random.int(1, 60)}\n/say waited`;
  if (kind < 0.58) return `/fail ${random.pick([400, 401, 404])}`;
  if (kind < 0.6) return '/call show_component {"component":"table","props":{}}';
  if (kind < 0.62) return '/call fetch_url {"url":"http://127.0.0.1:1/"}';
  if (kind < 0.64) return `/think ${strangeText(random)}\n/say thought`;
  if (kind < 0.8) return `/say ${strangeText(random)}`;
  return strangeText(random) || "empty";
}

/** A script that asks a person. */
export function asking(random: Random): string {
  const form = { title: "Form", steps: [{ schema: { type: "object", properties: { word: { type: "string" } } } }] };
  return random.chance(0.6)
    ? '/call ask_human {"question":"Which?"}\n/then\n/say heard'
    : `/call request_user_input ${JSON.stringify(form)}\n/then\n/say heard`;
}

/** One part of a message. */
function part(random: Random, version: Version, text: string): unknown {
  const kind = random.next();
  if (kind < 0.75) return version === "1.0" ? { text } : random.chance(0.5) ? { text } : { kind: "text", text };
  if (kind < 0.88) {
    const data = { given: strangeValue(random) };
    return version === "1.0" ? { data, mediaType: "application/json" } : { kind: "data", data };
  }
  const bytes = Buffer.from(text.slice(0, 1_000)).toString("base64");
  const type = random.pick(["text/plain", "image/png", "application/zip", "text/csv"]);
  return version === "1.0"
    ? { raw: bytes, mediaType: type, filename: "f" }
    : { kind: "file", file: { bytes, mimeType: type, name: "f" } };
}

/** What a message is about, besides its text. */
export interface MessageOptions {
  readonly contextId?: string;
  readonly taskId?: string;
  readonly returnImmediately?: boolean;
  readonly key?: string;
  /** Parts instead of those drawn. */
  readonly parts?: readonly unknown[];
}

/** Params of a send with one plain text, which nothing but the text can make fail. */
export function plainParams(version: Version, text: string, options: MessageOptions = {}): { [name: string]: unknown } {
  const { contextId, taskId, returnImmediately, key, parts = [{ text }] } = options;
  const ids = { ...(contextId !== undefined && { contextId }), ...(taskId !== undefined && { taskId }) };
  const metadata = key === undefined ? {} : { metadata: { idempotencyKey: key } };
  const message = version === "1.0" ? { messageId: "m", role: "ROLE_USER", parts } : { role: "user", parts };
  const name = version === "1.0" ? "returnImmediately" : "blocking";
  const waits = version === "1.0" ? returnImmediately : !returnImmediately;
  return {
    message: { ...message, ...ids },
    ...(returnImmediately === undefined ? {} : { configuration: { [name]: waits } }),
    ...metadata,
  };
}

/** Params of a send with everything a message may have, in one of the contexts or in none. */
export function richParams(random: Random, version: Version, contexts: readonly string[]): { [name: string]: unknown } {
  const parts = Array.from({ length: random.int(1, 3) }, () => part(random, version, script(random)));
  const plain = plainParams(version, "", { parts });
  const more: { [name: string]: unknown } = {};
  if (random.chance(0.3)) more.contextId = random.pick(contexts);
  if (random.chance(0.2)) more.metadata = { note: strangeValue(random) };
  if (random.chance(0.1)) more.extensions = ["urn:agent-service:a2a:ext:cost-v1"];
  if (random.chance(0.1)) more.referenceTaskIds = ["x"];
  if (version === "0.3" && random.chance(0.3)) Object.assign(more, { kind: "message", messageId: "m" });
  const configuration: { [name: string]: unknown } = {};
  if (random.chance(0.3)) configuration.historyLength = random.int(0, 5);
  if (random.chance(0.3)) configuration.acceptedOutputModes = random.pick([["text/plain"], ["application/json"], []]);
  if (random.chance(0.4)) configuration[version === "1.0" ? "returnImmediately" : "blocking"] = random.chance(0.5);
  const metadata: { [name: string]: unknown } = {};
  if (random.chance(0.05)) metadata.skill = random.pick(["measure", "chat", "no-such-skill", "toString"]);
  if (random.chance(0.05)) metadata.model = random.pick(["scripted:demo", "no-such-model", ""]);
  return {
    message: { ...(plain.message as object), ...more },
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
