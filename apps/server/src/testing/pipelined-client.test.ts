import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PipelinedClient } from "./pipelined-client.ts";

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "", "http://localhost");
  if (pathname === "/close") return void request.socket.destroy();
  // Without a length it goes out in chunks.
  if (pathname === "/chunks") response.write("first ");
  const text = `${request.method} ${pathname} ${request.headers["x-own"] ?? ""} é`;
  const answer = () => {
    if (!response.headersSent) response.writeHead(pathname === "/none" ? 204 : 200, { "X-Path": pathname });
    response.end(text);
  };
  if (pathname === "/late") setImmediate(answer);
  else answer();
});
const port = (): number => (server.address() as AddressInfo).port;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const question = (path: string, method = "GET", own = "") => ({ method, path, headers: { host: "a", "x-own": own } });

test("each question gets its own answer, in whatever order the server has them", async () => {
  using client = new PipelinedClient(port());
  const asked = [question("/late", "GET", "1"), question("/b", "POST", "2"), question("/c", "HEAD"), question("/none")];
  const answers = await Promise.all([...asked, question("/d")].map((one) => client.ask(one)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204, 200]);
  expect(answers.map(({ text }) => text)).toEqual(["GET /late 1 é", "POST /b 2 é", "", "", "GET /d  é"]);
  expect(answers.map(({ headers }) => headers["x-path"])).toEqual(["/late", "/b", "/c", "/none", "/d"]);
});

test("answers in chunks are put together", async () => {
  using client = new PipelinedClient(port());
  const answers = await Promise.all(["/chunks", "/b", "/chunks"].map((path) => client.ask(question(path))));
  expect(answers.map(({ text }) => text)).toEqual(["first GET /chunks  é", "GET /b  é", "first GET /chunks  é"]);
});

test("what waits is rejected where the connection ends", async () => {
  using client = new PipelinedClient(port());
  const answers = await Promise.allSettled(["/b", "/close", "/c"].map((path) => client.ask(question(path))));
  expect(answers.map(({ status }) => status).slice(1)).toEqual(["rejected", "rejected"]);
});
