import type { ModelContent, ModelMessage, ModelRequest } from "../model-port.ts";
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
 * instructions. A subscription's endpoint takes neither sampling nor a cap of tokens.
 */
export function responsesBody(
  { model, system, messages, tools, settings }: ModelRequest,
  version: OutputVersion,
): object {
  return {
    model,
    instructions: system === undefined || system.trim() === "" ? DEFAULT_INSTRUCTIONS : system,
    input: messages.flatMap((message) => itemsOf(message, version)),
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
