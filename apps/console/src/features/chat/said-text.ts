/** What was said, as a person reads it: an answer to a prompt goes along with its name, and is shown without. */
export function saidText(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("promptId" in value)) return text;
    const { answer, decision, note } = value as { readonly [name: string]: unknown };
    const told = [wordOf(decision), textOf(answer), textOf(note)].filter((part) => part !== "");
    return told.length === 0 ? text : told.join("\n");
  } catch {
    return text;
  }
}

function wordOf(decision: unknown): string {
  if (decision === "approve") return "Approved";
  return decision === "decline" ? "Declined" : "";
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (value === true || value === false) return value ? "Approved" : "Declined";
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
