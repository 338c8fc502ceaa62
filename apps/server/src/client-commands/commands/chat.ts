import { chatTurn } from "../chat-turn.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { converse } from "../converse.ts";
import { textFlag } from "../flag-values.ts";

export const chatCommand: ClientCommand = {
  name: "chat",
  order: 40,
  summary: "Talks to the agent",
  usage: `agent-service chat                    a conversation, where a person sits at a terminal
agent-service chat <message>          one turn
… | agent-service chat                one turn with what was piped in

  --session <id>   continue this conversation
  --model <name>   ask this model, as <connection>:<model>
  --bypass-approvals  do not ask before commands, and tools of MCP servers, whose approval can be waived
                   (filesystem.bypass_allowed; the run's journal has each)

One turn prints the answer alone where it does not go to a terminal, and ends with 5 while it waits for a person.
At a terminal: a line typed while the agent works steers it, an empty line answers what waits, Ctrl-C cancels the turn,
/exit leaves. What background jobs bring into the conversation is shown as it comes.
`,
  options: { session: { type: "string" }, model: { type: "string" }, "bypass-approvals": { type: "boolean" } },
  async run(context) {
    const { io, positionals, json } = context;
    const message = positionals.join(" ");
    const keyboard = json ? undefined : io.keyboard?.();
    try {
      if (message.trim() !== "") return (await chatTurn(context, { ...startOf(context), message }, keyboard)).exitCode;
      if (keyboard !== undefined) return await converse(context, keyboard, startOf(context));
    } finally {
      keyboard?.close();
    }
    const piped = (await io.piped?.())?.trim() ?? "";
    if (piped === "") throw usage("chat needs a message: as arguments, piped in, or typed at a terminal");
    return (await chatTurn(context, { ...startOf(context), message: piped }, undefined)).exitCode;
  },
};

function startOf({ flags }: CommandContext) {
  const bypassApprovals = flags["bypass-approvals"] === true;
  return { session: textFlag(flags, "session"), model: textFlag(flags, "model"), bypassApprovals };
}
