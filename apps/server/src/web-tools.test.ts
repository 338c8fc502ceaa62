/** `fetch_url` in the composed service, and the section `egress` that steers it (document 3; rulings W3, S8). */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadServerSettings } from "./sections/index.ts";
import { startTestService } from "./test-service.ts";
import { temporaryFolders, textOf } from "./testing/index.ts";

let server: Server;
let url: string;
let asked = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked++;
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Harbour</title><p>ships <b>inside</b></p>");
  }).listen(0);
  await once(server, "listening");
  url = `http://localhost:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const call = (target: string) => `/call fetch_url ${JSON.stringify({ url: target })}`;

test("a host that the configuration names is fetched and read as markdown", async () => {
  await using running = await startTestService({ config: "egress:\n  allowed_hosts: [LOCALHOST]\n" });
  const task = await running.wire.say(call(url));
  expect(textOf(task)).toContain(`[${url}, status 200]\n\n# Harbour\n\nships **inside**`);
  expect(asked).toBe(1);
});

test("without a name in the configuration nothing private is reached, and the model reads why", async () => {
  await using running = await startTestService();
  const before = asked;
  for (const target of [url, url.replace("localhost", "127.0.0.1"), "http://169.254.169.254/latest/meta-data/"]) {
    const task = await running.wire.say(call(target));
    expect(textOf(task)).toMatch(/is refused: it (?:is|has an address that is) not public/);
  }
  expect(asked).toBe(before);
});

test("a wrong entry refuses the start with one line (S8)", () => {
  const folders = temporaryFolders();
  try {
    folders.configure("egress:\n  allowed_hosts: ['http://wiki.example/']\n");
    const env = { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config };
    expect(() => loadServerSettings({ env, flags: {} })).toThrow(
      /^[^\n]*egress\.allowed_hosts[^\n]*host name without[^\n]*$/,
    );
  } finally {
    folders.remove();
  }
});
