import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

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
