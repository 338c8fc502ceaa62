// #region direct
import { type AgentTurn, createA2AHandler, inMemoryExecutor } from "@agent-service/a2a-protocol/server";
import { forecast } from "./forecast.ts";

async function* tellWeather({ text, signal }: AgentTurn) {
  yield { artifact: { name: "answer", text: await forecast(text, signal) } };
}

/** Answers a greeting with a message, for which no task exists, and everything else with a task. */
export const politeWeather = createA2AHandler({
  card: { name: "Weather", description: "Reports the weather, and greets." },
  executor: inMemoryExecutor((turn) =>
    /^(hi|hello)\b/i.test(turn.text) ? { message: "Good day!" } : tellWeather(turn),
  ),
});
// #endregion direct
