/** A frame in one line: the kind of its result, its state, and what distinguishes it from the others. */
export function frameSummary(data: string): { readonly kind: string; readonly text: string } {
  let frame: unknown;
  try {
    frame = JSON.parse(data);
  } catch {
    return { kind: "no JSON", text: data };
  }
  if (!isObject(frame)) return { kind: "no object", text: data };
  if (isObject(frame.error)) return { kind: "error", text: JSON.stringify(frame.error) };
  const result = isObject(frame.result) ? frame.result : frame;
  const [name = "", value = null] = Object.entries(result)[0] ?? [];
  const kind = name === "" ? "no name" : name;
  if (!isObject(value)) return { kind, text: JSON.stringify(value) };
  const { status, artifact, metadata } = value;
  const state = isObject(status) ? status.state : undefined;
  const parts = isObject(artifact)
    ? artifact.parts
    : isObject(status) && isObject(status.message) && status.message.parts;
  const pieces = [state, textIn(parts), isObject(metadata) && JSON.stringify(Object.values(metadata))];
  const text = pieces.filter((one): one is string => typeof one === "string" && one !== "").join(" · ");
  return { kind, text: text === "" ? JSON.stringify(value) : text };
}

function textIn(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts.map((part: unknown) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
