import type { ModelContent, ModelMessage, ModelRequest } from "../model-port.ts";
import { joinedPieces, type MessageWriter, writtenBefore } from "../provider-call/index.ts";
import { argumentsObject } from "./subscription.ts";

/**
 * The shape of contents on the Responses wire (B73 `SVC_CODEX_OUTPUT_VERSION`): `responses/v1` has lists of typed
 * parts, the legacy `v0` plain text wherever there is nothing but text.
 */
export type OutputVersion = "responses/v1" | "v0";

/** The wire refuses a request without instructions. */
const DEFAULT_INSTRUCTIONS = "You are a helpful agent.";

/**
 * The body of a request on the Responses wire: streaming (R6), nothing kept there, the system text as
 * instructions. A subscription's endpoint takes neither sampling nor a cap of tokens, but an effort. The messages stand last, and those
 * that former calls wrote are not written again.
 */
export function responsesBody(request: ModelRequest, version: OutputVersion): Buffer {
  const fields = JSON.stringify(fieldsOf(request)).slice(0, -1);
  const { messages, written, settings } = request;
  if (settings.extraBody?.input !== undefined) return joinedPieces([fields, "}"]);
  const count = written === undefined ? 0 : Math.max(0, messages.length - 1);
  const before = written === undefined ? NOTHING : writtenBefore(written, WRITERS[version], messages, count);
  const rest = messages.slice(count).map((message) => itemsText(message, version));
  return joinedPieces([fields, ',"input":[', ...withoutLastComma([before, rest.join("")]), "]}"]);
}

/** What was written ends with a comma behind each item, as far as there is an item. */
function withoutLastComma([before, rest]: readonly [Buffer, string]): readonly (Buffer | string)[] {
  if (rest !== "") return [before, rest.slice(0, -1)];
  return [before.subarray(0, -1)];
}

const NOTHING = Buffer.alloc(0);
const writerOf = (version: OutputVersion): MessageWriter => ({
  owner: { version },
  write: (message) => itemsText(message, version),
});
const WRITERS: { readonly [version in OutputVersion]: MessageWriter } = Object.freeze({
  "responses/v1": writerOf("responses/v1"),
  v0: writerOf("v0"),
});

function itemsText(message: ModelMessage, version: OutputVersion): string {
  return itemsOf(message, version)
    .map((item) => `${JSON.stringify(item)},`)
    .join("");
}

function fieldsOf({ model, system, tools, settings }: ModelRequest): object {
  return {
    model,
    instructions: system === undefined || system.trim() === "" ? DEFAULT_INSTRUCTIONS : system,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            name,
            description,
            parameters,
            strict: false,
          })),
        }),
    ...(settings.reasoningEffort === undefined ? {} : { reasoning: { effort: settings.reasoningEffort } }),
    ...settings.extraBody,
    store: false,
    stream: true,
  };
}

function itemsOf(message: ModelMessage, version: OutputVersion): object[] {
  if (message.role === "tool") return [{ type: "function_call_output", call_id: message.callId, output: message.text }];
  if (message.role === "user")
    return [{ type: "message", role: "user", content: userContent(message.content, version) }];
  const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(argumentsObject(args)),
  }));
  if (message.text === "") return calls;
  const content = version === "v0" ? message.text : [{ type: "output_text", text: message.text, annotations: [] }];
  return [{ type: "message", role: "assistant", content }, ...calls];
}

function userContent(content: readonly ModelContent[], version: OutputVersion): unknown {
  const texts = content.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  if (version === "v0" && texts.length === content.length) return texts.join("\n");
  return content.map((part) =>
    part.kind === "text"
      ? { type: "input_text", text: part.text }
      : { type: "input_image", image_url: `data:${part.mediaType};base64,${part.data}` },
  );
}
