/** Prompts of servers as slash commands: which there are, and what is read of them. */
import { expect, test } from "vitest";
import { definitionDigest, type PinnedDefinition, readDefinitions } from "../definition/index.ts";
import { readPromptText } from "./prompt-text.ts";
import { ServerPrompts } from "./server-prompts.ts";

function pinOf(prompt: object): PinnedDefinition {
  const [approved] = readDefinitions({ prompts: [prompt] }).definitions;
  if (approved === undefined) throw new Error("no definition");
  const { kind, name } = approved;
  const digest = definitionDigest(approved);
  return { kind, name, digest, approved, seen: undefined, state: "approved", seenAt: 1, decidedAt: undefined };
}

const REDACT = { maxChars: null, redact: (text: string) => text.replaceAll("hunter2", "***") };
const message = (role: string, text: string) => ({ role, content: { type: "text", text } });

test("the text of a prompt is what its messages say, without secrets and what cannot be seen, within its bound", () => {
  expect(readPromptText({ messages: [message("user", "Sum\u200b up"), message("user", "hunter2")] }, REDACT)).toBe(
    "Sum up\n\n***",
  );
  expect(readPromptText({ messages: [message("user", "Hi"), message("assistant", "Yes?")] }, REDACT)).toBe(
    "User: Hi\n\nAssistant: Yes?",
  );
  const resource = { type: "resource", resource: { uri: "demo://1", text: "inside" } };
  expect(readPromptText({ messages: [{ role: "user", content: resource }] }, REDACT)).toBe("demo://1\ninside");
  const long = readPromptText({ messages: [message("user", "a".repeat(900))] }, { ...REDACT, maxChars: 300 });
  expect(long.length).toBeLessThanOrEqual(300);
  const many = readPromptText({ messages: Array.from({ length: 102 }, () => message("user", "a")) }, REDACT);
  expect(many).toMatch(/\n\n\[2 more messages\]$/);
  for (const bad of [undefined, null, {}, { messages: "no" }, { messages: [] }]) {
    expect(readPromptText(bad, REDACT)).toBe("");
  }
});

test("commands are those of prompts that are approved and not denied, of servers that are switched on", async () => {
  const changed = pinOf({ name: "changed", description: "Was." });
  const [seen] = readDefinitions({ prompts: [{ name: "changed", arguments: [{ name: "a" }] }] }).definitions;
  const pins = [
    pinOf({ name: "sum up", description: "Sums\n up.", arguments: [{ name: "text", required: true }, { name: "to" }] }),
    pinOf({ name: "denied" }),
    { ...changed, state: "held" as const, seen },
    { ...pinOf({ name: "gone" }), state: "gone" as const },
  ];
  let isOn = true;
  const prompts = new ServerPrompts({
    // None of these commands reaches the server.
    connection: () => (isOn ? ({} as never) : undefined),
    pins: () => [],
    timeoutMs: () => 1_000,
    redact: (text) => text,
  });
  const update = () => prompts.update([{ settings: { name: "1st", maxResultChars: null }, pins }], ["1st__den*"]);
  update();
  expect(prompts.commands).toMatchObject([
    {
      ...{ name: "mcp-1st__sum_up", kind: "mcp_prompt", description: "Sums up" },
      usage: "/mcp-1st__sum_up <text> [to]",
      arguments: [
        { name: "text", required: true },
        { name: "to", required: false },
      ],
    },
  ]);
  expect(prompts.rowsOf("1st").map(({ pin, state }) => [pin.name, state])).toEqual([
    ...[
      ["sum up", "on"],
      ["denied", "off"],
      ["changed", "held"],
      ["gone", "gone"],
    ],
  ]);
  const [command] = prompts.commands;
  const run = (args: string) => command?.run({ args, class: "operator", context: "c", incognito: false });
  expect(await run("")).toEqual({
    kind: "reply",
    text: "It needs text. It is written `/mcp-1st__sum_up <text> [to]`.",
  });
  expect(await run("this")).toMatchObject({
    kind: "reply",
    text: expect.stringContaining("waits for you, or is gone"),
  });
  isOn = false;
  update();
  expect(prompts.commands).toEqual([]);
});
