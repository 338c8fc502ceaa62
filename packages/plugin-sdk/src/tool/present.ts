/**
 * What people read of a call, from templates a tool declares. The templates are plain text with placeholders, never
 * code and never markup: what they become is one line, safe to put into a terminal or, as text, into a page.
 *
 * - `{city}` is an argument, `{order.id}` a field of one, `{stops.length}` how many entries a list has.
 * - `{result}` is the result of the call, `{result.id}` a field of it. Only `done` has a result.
 * - `[ in {zone}]` is left out as a whole where a placeholder in it has nothing to show.
 * - `{{`, `}}`, `[[` and `]]` are the characters themselves.
 */

/** What people read of a call, as templates: see `renderTemplate`. What a tool leaves out is named by the tool's name. */
export interface ToolPresentation {
  /** What is asked of a person before the call runs, for example `Refund order {orderId}?`. */
  readonly asks?: string;
  /** While the call runs, for example `Refunding order {orderId}`. */
  readonly doing?: string;
  /** Once it has succeeded, for example `Refunded order {orderId}[: {result}]`. */
  readonly done?: string;
}

/** The values that replace the placeholders of a template. */
export interface TemplateValues {
  /** The call's validated arguments. */
  readonly input: unknown;
  /** What the call returned: a value, or a text that may be its JSON. */
  readonly result?: unknown;
}

/** Characters of one placeholder's value; the rest is cut. */
const VALUE_CHARS = 120;
/** Characters of a rendered line; the rest is cut. */
const LINE_CHARS = 300;
/** Entries of a list that are shown. */
const LISTED = 5;

type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly path: readonly string[] }
  | { readonly kind: "optional"; readonly pieces: readonly Piece[] };

const TOKEN = /\{\{|\}\}|\[\[|\]\]|\{([^{}]*)\}|[{}[\]]/g;
const PATH = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){0,7}$/;

/** A template that cannot be read. `code` is stable. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly code = "tool.bad-template";
}

function parse(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let optional: Piece[] | undefined;
  let from = 0;
  const add = (piece: Piece): void => void (optional ?? pieces).push(piece);
  const text = (chars: string): void => {
    if (chars !== "") add({ kind: "text", text: chars });
  };
  for (const found of template.matchAll(TOKEN)) {
    const [token, path] = found;
    text(template.slice(from, found.index));
    from = found.index + token.length;
    if (token === "[" && optional === undefined) {
      optional = [];
    } else if (token === "]" && optional !== undefined) {
      pieces.push({ kind: "optional", pieces: optional });
      optional = undefined;
    } else if (token.length === 2 && token[0] === token[1]) {
      text(token[0]!);
    } else if (path !== undefined && PATH.test(path)) {
      add({ kind: "value", path: path.split(".") });
    } else {
      throw new TemplateError(
        `${JSON.stringify(token)} at ${found.index} of ${JSON.stringify(template)} is not understood`,
      );
    }
  }
  if (optional !== undefined) throw new TemplateError(`"[" is not closed in ${JSON.stringify(template)}`);
  text(template.slice(from));
  return pieces;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && name === "length") return value.length;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: unknown })[name] : undefined;
}

/** A result as a value: the text of one that carries a component, and a JSON text parsed. */
function resultValue(result: unknown, path: readonly string[]): unknown {
  const isMarked = field(result, "type") === "tool-result";
  const value = isMarked ? field(result, "text") : result;
  if (path.length === 0 || typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

function valueAt(path: readonly string[], { input, result }: TemplateValues): unknown {
  const isResult = path[0] === "result" && result !== undefined;
  const rest = isResult ? path.slice(1) : path;
  return rest.reduce(field, isResult ? resultValue(result, rest) : input);
}

/** Printable ASCII without double spaces: as one line it is as it is. */
const PLAIN_LINE = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** One line without what a reader cannot see: control and format characters could hide or reorder the rest. */
function oneLine(text: string, maxChars: number): string {
  if (text.length <= maxChars && PLAIN_LINE.test(text)) return text;
  // Bounded first: what follows reads every character.
  const line = text
    .slice(0, maxChars * 4)
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "")
    .trim();
  const chars = [...line];
  return chars.length <= maxChars ? line : `${chars.slice(0, maxChars - 1).join("")}…`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return oneLine(value, VALUE_CHARS);
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (!Array.isArray(value)) return "";
  const entries = value
    .slice(0, LISTED)
    .map(shown)
    .filter((entry) => entry !== "");
  return oneLine(`${entries.join(", ")}${value.length > LISTED ? ", …" : ""}`, VALUE_CHARS);
}

function render(pieces: readonly Piece[], values: TemplateValues): { readonly text: string; readonly whole: boolean } {
  let text = "";
  let whole = true;
  for (const piece of pieces) {
    if (piece.kind === "text") {
      text += piece.text;
    } else if (piece.kind === "value") {
      const value = shown(valueAt(piece.path, values));
      if (value === "") whole = false;
      text += value;
    } else {
      const inner = render(piece.pieces, values);
      if (inner.whole) text += inner.text;
    }
  }
  return { text, whole };
}

/**
 * Renders a template: one line of at most 300 characters, each value in it at most 120. A value that is missing,
 * null or an object shows as nothing; a list shows its first five entries. @throws TemplateError
 */
export function renderTemplate(template: string, values: TemplateValues): string {
  return oneLine(render(parse(template), values).text, LINE_CHARS);
}

/** @throws TemplateError for a template of the tool that cannot be read */
export function checkPresentation({ asks, doing, done }: ToolPresentation): void {
  for (const template of [asks, doing, done]) if (template !== undefined) parse(template);
}

/** What people read of a tool's calls, its templates read already; undefined: nothing is declared that can be shown. */
export type PresentCall = (phase: keyof ToolPresentation, values: TemplateValues) => string | undefined;

/** Reads the templates of a tool once, for all its calls. One that cannot be read shows nothing and goes to `onError`. */
export function compilePresentation(present: ToolPresentation, onError?: (error: TemplateError) => void): PresentCall {
  const read = (template: string | undefined): readonly Piece[] | undefined => {
    if (template === undefined) return undefined;
    try {
      return parse(template);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      onError?.(error);
      return undefined;
    }
  };
  const pieces = { asks: read(present.asks), doing: read(present.doing), done: read(present.done) };
  return (phase, values) => {
    const compiled = pieces[phase];
    const line = compiled === undefined ? "" : oneLine(render(compiled, values).text, LINE_CHARS);
    return line === "" ? undefined : line;
  };
}

/**
 * What people read of a call in one of its phases; undefined where the tool declares nothing for it, or nothing that can
 * be read. Reads the template anew: for many calls of a tool there is `compilePresentation`.
 */
export function presentCall(
  { present }: { readonly present?: ToolPresentation },
  phase: keyof ToolPresentation,
  values: TemplateValues,
): string | undefined {
  const template = present?.[phase];
  return template === undefined ? undefined : compilePresentation({ [phase]: template })(phase, values);
}
