/** No key of a server without effect: each has a test that shows what it does. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serverSchema } from "./server-schema.ts";

/** The test of a key, below the folder `mcp`, and the word by which it names the key. */
const SHOWN_BY: { readonly [key: string]: readonly [file: string, word: string] } = {
  name: ["settings/read-servers.test.ts", "name"],
  transport: ["settings/read-servers.test.ts", "transport"],
  enabled: ["settings/read-servers.test.ts", "enabled"],
  command: ["stdio/program-transport.test.ts", "command"],
  args: ["stdio/program-transport.test.ts", "args"],
  env: ["placeholder/placeholder.test.ts", "env"],
  cwd: ["stdio/program-transport.test.ts", "cwd"],
  url: ["connection/connection.test.ts", "url"],
  headers: ["connection/connection.test.ts", "headers"],
  tools: ["names/tool-names.test.ts", "include"],
  call_timeout: ["settings/read-servers.test.ts", "call_timeout"],
  max_result_chars: ["result/call-result.test.ts", "maxChars"],
  pinning: ["definition/definitions.test.ts", "pinning"],
  effects: ["tool/mcp-tool.test.ts", "effects"],
  approve: ["tool/mcp-tool.test.ts", "approve"],
  federation: ["tool/mcp-tool.test.ts", "federation"],
  elicitation: ["connection/connection.test.ts", "elicitation"],
  sampling: ["offer/offers.test.ts", "sampling"],
  roots: ["offer/offers.test.ts", "roots"],
  oauth: ["sign-in/server-sign-in.test.ts", "oauth"],
  inherit_env: ["placeholder/placeholder.test.ts", "inheritEnv"],
};

const KEYS = Object.keys(serverSchema.entries);

test.each(KEYS)("%s of a server has a test that shows its effect", (key) => {
  const [file = "", word = ""] = SHOWN_BY[key] ?? [];
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  expect([key, new RegExp(`\\b${word}\\b`).test(text)]).toEqual([key, true]);
});

test("the table has every key, and no other", () => {
  expect(Object.keys(SHOWN_BY).sort()).toEqual(KEYS.sort());
});
