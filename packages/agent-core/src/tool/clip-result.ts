/**
 * What a model reads of a tool's result: bounded whatever the tool returned, 50 MB included (R4). The same
 * output gives the same text.
 */
import type { ComponentOutput, ToolResult } from "@agent-service/plugin-sdk";
import { CUT_MARGIN, clipText } from "./clip-text.ts";
import { describeValue } from "./describe-value.ts";
import { type ResultImage, readImages } from "./result-images.ts";

/** Most characters of a result, unless the caller sets another bound. */
export const RESULT_CHARS = 100_000;
/** Most characters of a component's props as JSON; a larger component is left out, its text stays. */
export const COMPONENT_CHARS = 256 * 1024;

/** How a result is bounded. */
export interface ClipOptions {
  readonly maxChars?: number;
  /** As that of `clipText`. */
  readonly clean?: (text: string) => string;
}

/** A result as it is recorded. `component` is plain JSON. */
export interface ClippedResult {
  readonly text: string;
  readonly component?: ComponentOutput;
  /** At least one, where there are any. */
  readonly images?: readonly ResultImage[];
}

function isToolResult(output: object): output is ToolResult {
  return "type" in output && output.type === "tool-result" && "text" in output;
}

/** A component's props as plain JSON, or why it cannot be shown. */
function plainComponent({ component, props, title }: ComponentOutput): ComponentOutput | string {
  if (typeof component !== "string" || component === "") return "it has no name";
  let json: string | undefined;
  try {
    json = JSON.stringify(props);
  } catch (error) {
    return `its props are no JSON: ${(error as Error).message.split("\n", 1)[0]}`;
  }
  if (json === undefined) return "its props are no JSON";
  if (json.length > COMPONENT_CHARS) {
    return `its props are ${json.length} characters of JSON; at most ${COMPONENT_CHARS} are shown`;
  }
  return { component, props: JSON.parse(json), ...(typeof title === "string" ? { title } : {}) };
}

/**
 * Turns what a tool returned into text of at most `maxChars` characters (head, a marker naming how much was cut, tail)
 * and its component, if it shows one. Never throws: cyclic values, BigInt, functions, errors, throwing getters and
 * values of any size have a stated text.
 */
export function clipResult(output: unknown, { maxChars = RESULT_CHARS, clean }: ClipOptions = {}): ClippedResult {
  try {
    if (typeof output === "string") return { text: clipText(output, maxChars, clean) };
    if (typeof output !== "object" || output === null || !isToolResult(output)) {
      return { text: clipText(describeValue(output, maxChars + CUT_MARGIN), maxChars, clean) };
    }
    const text = typeof output.text === "string" ? output.text : describeValue(output.text, maxChars + CUT_MARGIN);
    const component = output.component === undefined ? undefined : plainComponent(output.component);
    const { images, problems } = readImages(output.images);
    if (typeof component === "string") problems.push(`The component was not shown: ${component}.`);
    const whole = clipText([text, ...problems.map((problem) => `[${problem}]`)].join("\n"), maxChars, clean);
    return {
      text: whole,
      ...(component !== undefined && typeof component !== "string" && { component }),
      ...(images.length > 0 && { images }),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it threw while it was read";
    return { text: clipText(`[The tool's result could not be read: ${reason}]`, maxChars, clean) };
  }
}
