import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { ask } from "./ask.ts";

it("sends the Host, path and body it is given and reads the whole answer", async () => {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      outgoing.statusCode = 201;
      outgoing.end(`${incoming.method} ${incoming.headers.host} ${incoming.url} ${Buffer.concat(chunks).toString()}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await ask(port, { method: "POST", path: "/a/../b", headers: { host: "evil.example" }, body: "hi" });
  expect(answer.status).toBe(201);
  expect(answer.text).toBe("POST evil.example /a/../b hi");
  server.close();
});
