/** What the scripted model extracts from a conversation: how it began, and no facts. */
export function scriptedHarvest(said: string): string {
  const line = said.replaceAll(/\s+/g, " ").trim().slice(0, 200).toWellFormed();
  return JSON.stringify({
    summary: line === "" ? "A conversation without words." : `It began with: ${line}`,
    facts: [],
  });
}
