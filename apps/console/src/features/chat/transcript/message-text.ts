/** The text of a message for people. An answer to a prompt is sent as JSON with the prompt's id, and shown without both. */
export function messageText(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("promptId" in value)) return text;
    const { answer, decision, note } = value as { readonly [name: string]: unknown };
    const parts = [decisionLabel(decision), textOf(answer), textOf(note)].filter((part) => part !== "");
    return parts.length === 0 ? text : parts.join("\n");
  } catch {
    return text;
  }
}

function decisionLabel(decision: unknown): string {
  if (decision === "approve") return "Approved";
  return decision === "decline" ? "Declined" : "";
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (value === true || value === false) return value ? "Approved" : "Declined";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
