/** The prompt that the built service sends in the first call of a conversation. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Connection } from "./connection.ts";
import { startServer } from "./process.ts";
import { ask, newHome, serviceCommand } from "./targets.ts";

/** The body of the request that the service sends to a gateway for "hello". */
export async function firstPrompt(): Promise<unknown> {
  const asked = Promise.withResolvers<unknown>();
  const gateway = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      response.writeHead(400, { "content-type": "application/json" }).end("{}");
      if (request.method === "POST") asked.resolve(JSON.parse(Buffer.concat(parts).toString()));
    });
  }).listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const { port } = gateway.address() as AddressInfo;
  const service = await startServer(serviceCommand({ port }, newHome()));
  const connection = new Connection(service.port);
  try {
    await connection.send(ask("message/send", "hello"));
    return await asked.promise;
  } finally {
    connection.close();
    await service.kill();
    gateway.closeAllConnections();
    gateway.close();
  }
}
