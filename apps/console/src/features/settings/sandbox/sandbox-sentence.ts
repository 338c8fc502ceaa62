/** What becomes of commands, by the sandbox there is and the one that the settings want. */
export function sandboxSentence({
  provider,
  usable,
  wanted,
}: {
  readonly provider: string;
  readonly usable: boolean;
  readonly wanted: unknown;
}): string {
  if (wanted === "off") return "The sandbox is switched off: commands can reach whatever the service can.";
  if (usable) return `Commands run in a sandbox (${provider}): they change nothing outside of their project.`;
  if (wanted === "required") return "There is no sandbox, and it is required: the agent has no commands.";
  return "There is no sandbox: commands can reach whatever the service can.";
}
