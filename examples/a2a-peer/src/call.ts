// #region call
import { connect } from "@agent-service/a2a-protocol/client";

/** Sends a message and writes what happens; questions are answered by `reply`. */
export async function call(
  url: string,
  message: string,
  write: (text: string) => void,
  reply: (question: string) => Promise<string>,
): Promise<void> {
  const agent = await connect(url, { bearer: process.env.PEER_TOKEN }); // reads the card, picks version and binding
  for await (const event of agent.stream(message)) {
    if (event.kind === "text") write(event.delta);
    if (event.kind === "text-reset") write("\n(that was not the answer)\n");
    if (event.kind === "tool") write(`\n[${event.name} ${event.phase}]\n`);
    if (event.kind === "status") write(`\n[${event.state}] ${event.text}\n`);
    if (event.kind === "input-required") await event.answer(await reply(event.question));
  } // a broken connection is picked up at the last event seen
}
// #endregion call
