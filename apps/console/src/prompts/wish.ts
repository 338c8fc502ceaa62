/** A tool's question ("Calculate 6*7?") as what the agent wants: "Ada wants to calculate 6*7." */
export function wish(agent: string | undefined, question: string): string {
  const asked = question.replace(/\?$/, "");
  return `${agent ?? "The agent"} wants to ${asked.charAt(0).toLowerCase()}${asked.slice(1)}.`;
}
