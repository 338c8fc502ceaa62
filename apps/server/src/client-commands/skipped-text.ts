/** Why a call ran without asking, after its name. */
export function skippedText(by: string, rule?: string | null): string {
  switch (by) {
    case "bypass":
      return "ran without asking: approvals are bypassed in this turn";
    case "rule":
      return `ran without asking: the settings allow ${JSON.stringify(rule ?? "")}`;
    default:
      return "ran without asking: it was approved for the future";
  }
}
