import type { RemoteAgent } from "@agent-service/a2a-protocol/client";
import { expect, test, vi } from "vitest";
import { curlOf, requestOf } from "./curl.ts";

test("a request is one command that any shell takes as it is, without the token", () => {
  const command = curlOf({
    ...{ url: "http://localhost:7870/a2a", method: "POST" },
    headers: { authorization: "Bearer secret", "a2a-version": "1.0", "idempotency-key": "k" },
    body: '{"text":"it\'s $HOME"}',
  });
  expect(command).toBe(
    [
      "curl -N -X POST 'http://localhost:7870/a2a' \\",
      '  -H "authorization: Bearer $AGENT_TOKEN" \\',
      "  -H 'a2a-version: 1.0' \\",
      String.raw`  -d '{"text":"it'\''s $HOME"}'`,
    ].join("\n"),
  );
});

test.each([
  ["a text", "http://localhost:7870/a2a"],
  ["an address", new URL("http://localhost:7870/a2a")],
  ["a request", new Request("http://localhost:7870/a2a")],
])("the request of a call is returned and never made, addressed by %s", async (_name, address) => {
  const fetched = vi.spyOn(globalThis, "fetch");
  const agentOver = async (fetch: typeof globalThis.fetch) => {
    const send = () => fetch(address, { method: "POST", headers: { "a2a-version": "1.0" }, body: "{}" });
    return { cancel: send } as unknown as RemoteAgent;
  };
  const seen = await requestOf({ agentOver }, (agent) => agent.cancel("task-1"));
  expect(seen).toMatchObject({ url: "http://localhost:7870/a2a", method: "POST", body: "{}" });
  expect(seen.headers).toMatchObject({ "a2a-version": "1.0" });
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});
