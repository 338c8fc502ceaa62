// #region relay
import { connect } from "@agent-service/a2a-protocol/client";
import { createA2AHandler, inMemoryExecutor } from "@agent-service/a2a-protocol/server";

/** An agent that asks the agent at `url` and passes its answer on, questions included. */
export function relay(url: string) {
  return createA2AHandler({
    card: { name: "Relay", description: `Asks ${url}.` },
    executor: inMemoryExecutor(async function* ({ text, ask, signal }) {
      const other = await connect(url, { bearer: process.env.PEER_TOKEN });
      for await (const event of other.stream(text, { signal })) {
        if (event.kind === "text") yield { text: event.delta };
        if (event.kind === "input-required") await event.answer(await ask(event.question));
      }
    }),
  });
}
// #endregion relay
