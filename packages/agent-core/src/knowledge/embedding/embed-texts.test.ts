/** Texts that become vectors over an endpoint (K25). */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { embedTexts } from "./embed-texts.ts";

/** An endpoint with the answers of a test. */
async function endpoint(answer: (request: IncomingMessage, response: ServerResponse, number: number) => unknown) {
  let asked = 0;
  const server = createServer((request, response) => answer(request, response, ++asked)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    at: { baseUrl: `http://127.0.0.1:${port}/v1/`, apiKey: "key", model: "any", timeoutMs: 60_000 },
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const vector = (response: ServerResponse): unknown =>
  response.end(JSON.stringify({ data: [{ index: 0, embedding: [3, 4] }] }));

it("are sent with the key, and come back as vectors of length 1", async () => {
  const seen: unknown[] = [];
  await using double = await endpoint(({ url, method, headers }, response) => {
    seen.push(method, url, headers.authorization, headers["content-type"]);
    vector(response);
  });
  const [unit] = await embedTexts(double.at, ["herons"]);
  expect([...(unit ?? [])].map((number) => number.toFixed(1))).toEqual(["0.6", "0.8"]);
  expect(seen).toEqual(["POST", "/v1/embeddings", "Bearer key", "application/json"]);
});

it("are sent again where an idle connection was closed, and not where a new one was", async () => {
  // The second request comes over the connection of the first one.
  await using double = await endpoint((request, response, number) => {
    if (number === 2) request.socket.destroy();
    else vector(response);
  });
  for (let at = 0; at < 2; at++) expect(await embedTexts(double.at, ["herons"])).toHaveLength(1);
  expect(double.asked()).toBe(3);
  await using closing = await endpoint((request) => request.socket.destroy());
  await expect(embedTexts(closing.at, ["herons"])).rejects.toMatchObject({ code: "failed" });
  expect(closing.asked()).toBe(1);
});

it("follow no redirect", async () => {
  await using elsewhere = await endpoint((_, response) => vector(response));
  await using double = await endpoint((_, response) => {
    response.writeHead(307, { location: `${elsewhere.at.baseUrl}embeddings` }).end();
  });
  await expect(embedTexts(double.at, ["herons"])).rejects.toMatchObject({ code: "failed" });
  expect(elsewhere.asked()).toBe(0);
});
