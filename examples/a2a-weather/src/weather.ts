// #region agent
import { createA2AHandler, inMemoryExecutor } from "@agent-service/a2a-protocol/server";
import { forecast } from "./forecast.ts";

const handler = createA2AHandler({
  card: {
    name: "Weather",
    description: "Reports the weather.",
    skills: [{ id: "today", name: "Today", description: "Weather now" }],
  },
  executor: inMemoryExecutor(async function* ({ text, ask, signal }) {
    const city = text || (await ask("Which city?")); // parks the task, resumes with the reply
    yield { artifact: { name: "answer", text: await forecast(city, signal) } };
  }),
});

export default { fetch: handler }; // Node (through any adapter), Deno, Bun, workers
// #endregion agent
