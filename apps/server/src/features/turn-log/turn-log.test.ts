import { expect, it } from "vitest";
import { startTestService } from "../../testing/test-service.ts";

it("writes one line for every turn, with its numbers and no content", async () => {
  await using running = await startTestService({ env: { LOG_FORMAT: "json", LOG_LEVEL: "DEBUG" } });
  const task = await running.wire.say("/say a-word-of-the-answer");
  await running.wire.say("/fail 500");
  const asked = await running.wire.say('/call ask_human {"question": "a-question"}');
  const lines = () =>
    running.log.map((line) => JSON.parse(line) as { msg: string; level: string; task: string; session: string });
  await expect.poll(() => lines().filter(({ msg }) => msg.startsWith("turn ")).length).toBe(3);
  const of = (task: string) => lines().filter((line) => line.task === task && line.msg.startsWith("turn "));
  expect(of(task.id)).toEqual([
    expect.objectContaining({
      ...{ level: "INFO", msg: "turn ended", origin: "a2a", class: "operator", session: task.contextId },
      ...{ model: "demo", calls: 1, tool_calls: 0, outcome: "completed", duration_ms: expect.any(Number) },
      ...{ input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    }),
  ]);
  expect(of(asked.id)).toMatchObject([{ level: "DEBUG", msg: "turn waits for a person", outcome: "input-required" }]);
  expect(lines().filter((line) => line.msg === "turn ended")).toMatchObject([
    { outcome: "completed" },
    { outcome: "failed", code: expect.stringMatching(/^model_/) },
  ]);
  expect(running.log.join("\n")).not.toMatch(/a-word-of-the-answer|a-question/);
});
