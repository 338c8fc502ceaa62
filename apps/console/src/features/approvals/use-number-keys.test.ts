import { expect, test } from "vitest";
import { promptCommands } from "./use-number-keys.ts";

test("the first nine prompts are each a key away, under what they ask", () => {
  const prompts = Array.from({ length: 12 }, (_, n) => ({
    id: `p${n}`,
    payload: { kind: "question" as const, promptId: `p${n}`, question: `Which ${n}?` },
  }));
  const went: string[] = [];
  const commands = promptCommands(prompts, (id) => went.push(id));
  expect(commands.map(({ keys }) => keys)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  commands[1]?.run();
  expect([commands[1]?.label, went]).toEqual(["Answer: Which 1?", ["p1"]]);
});
