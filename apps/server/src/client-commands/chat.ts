import { chatTurn } from "./chat-turn.ts";
import type { ClientCommand, CommandContext } from "./command.ts";
import { usage } from "./command-failure.ts";
import type { Keyboard } from "./command-io.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { textFlag } from "./flag-values.ts";
import { oneLine } from "./terminal-text.ts";

/** `agent-service chat`. */
export const chatCommand: ClientCommand = {
  name: "chat",
  summary: "Talks to the agent",
  usage: `agent-service chat                    a conversation, where a person sits at a terminal
agent-service chat <message>          one turn
… | agent-service chat                one turn with what was piped in

  --session <id>   go on with this conversation
  --model <name>   ask this model, as <connection>:<model>

One turn prints the answer alone where it does not go to a terminal, and ends with 5 while it waits for a person.
At a terminal: a line typed while the agent works steers it, Ctrl-C cancels the turn, /exit leaves.
`,
  options: { session: { type: "string" }, model: { type: "string" } },
  async run(context) {
    const { io, words, json } = context;
    const message = words.join(" ");
    const keyboard = json ? undefined : io.keyboard?.();
    try {
      if (message.trim() !== "") return (await chatTurn(context, turnOf(context, message), keyboard)).exitCode;
      if (keyboard !== undefined) return await converse(context, keyboard);
    } finally {
      keyboard?.close();
    }
    const piped = (await io.piped?.())?.trim() ?? "";
    if (piped === "") throw usage("chat wants a message: as words, piped in, or typed at a terminal");
    return (await chatTurn(context, turnOf(context, piped), undefined)).exitCode;
  },
};

function turnOf({ flags }: CommandContext, message: string) {
  return { message, session: textFlag(flags, "session"), model: textFlag(flags, "model") };
}

async function converse(context: CommandContext, keyboard: Keyboard): Promise<ExitCode> {
  const { api, io, write, paint } = context;
  const { identity, model } = await api.get("/api/runtime/status");
  write(`${paint("bold", oneLine(identity.name))} on ${oneLine(model.name)}. /exit leaves, /help lists commands.\n`);
  let session = textFlag(context.flags, "session");
  for (;;) {
    const release = io.onInterrupt(() => keyboard.close());
    const line = (await keyboard.ask(paint("cyan", "\n> ")).finally(release))?.trim();
    if (line === undefined || line === "/exit") break;
    if (line === "") continue;
    const turn = await chatTurn(context, { ...turnOf(context, line), session }, keyboard);
    session = turn.session ?? session;
    if (turn.exitCode === EXIT.interrupted) return EXIT.interrupted;
  }
  if (session !== undefined) write(`\nGo on with: agent-service chat --session ${session}\n`);
  return EXIT.ok;
}
