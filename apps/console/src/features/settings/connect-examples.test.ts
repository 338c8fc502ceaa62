import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { connectExamples } from "./connect-examples.ts";

/** The arguments that a shell parses from a command. */
function argumentsOf(command: string): readonly string[] {
  const output = execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\0'")], {
    env: { AGENT_TOKEN: "secret" },
    encoding: "utf8",
  });
  return output.split("\0").slice(0, -1);
}

test("a shell reads the commands as they are meant, below a prefix and with a quote in the address too", () => {
  const { askAgent, askChat, cardUrl } = connectExamples("https://hub/agents/o'neill", true);
  expect(cardUrl).toBe("https://hub/agents/o'neill/.well-known/agent-card.json");
  const [url, , bearer, , , , body] = argumentsOf(askAgent);
  expect(url).toBe("https://hub/agents/o'neill/a2a");
  expect(bearer).toBe("Authorization: Bearer secret");
  expect(JSON.parse(body ?? "")).toMatchObject({ method: "message/send" });
  expect(argumentsOf(askChat)[0]).toBe("https://hub/agents/o'neill/v1/chat/completions");
});

test("an open agent is asked without a token", () => {
  expect(connectExamples("http://h", false).askAgent).not.toContain("Authorization");
});
