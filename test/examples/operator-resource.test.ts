import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { run } from "../process/run.ts";

const root = new URL("../..", import.meta.url).pathname;
const source = "--conditions=@agent-service/source";

test("the example of a resource answers, refuses and describes itself as in its README", async () => {
  const { code, output } = await run(process.execPath, [source, "examples/operator-resource/main.ts"], { cwd: root });
  expect(code).toBe(0);
  const readme = await readFile(`${root}packages/operator-api/README.md`, "utf8");
  expect(readme).toContain(`\`\`\`text\n${output}\`\`\``);
});

test("the example of the client shows what a person is to read when it is refused", async () => {
  const server = createServer((_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ detail: "Authentication required." }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const SVC_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const script = "examples/operator-resource/client.ts";
  const { code, output } = await run(process.execPath, [source, script], {
    cwd: root,
    env: { ...process.env, SVC_URL },
  });
  server.close();
  expect([code, output]).toEqual([0, "401: Authentication required.\n"]);
});
