import { createInterface } from "node:readline/promises";
import { serve } from "@hono/node-server";
import { call } from "./call.ts";
import { notified } from "./notified.ts";
import { relay } from "./relay.ts";

const [url, message, port] = process.argv.slice(2);
if (url === undefined || message === undefined) {
  console.error("usage: main.ts <agent url> <message>        call the agent and print the stream");
  console.error("       main.ts <agent url> --serve [port]   be an agent that asks the other one");
  console.error("       main.ts <token> --listen [port]        serve a webhook and print what it gets");
  process.exit(2);
}

if (message === "--serve") {
  const handler = relay(url);
  serve({ fetch: (request) => handler(request), port: Number(port ?? 7872), hostname: "127.0.0.1" }, (address) => {
    console.log(`relay agent at http://127.0.0.1:${address.port}`);
  });
} else if (message === "--listen") {
  const handler = notified(url, (text) => process.stdout.write(text));
  serve({ fetch: handler, port: Number(port ?? 7873), hostname: "127.0.0.1" }, (address) => {
    console.log(`webhook at http://127.0.0.1:${address.port}`);
  });
} else {
  const terminal = createInterface({ input: process.stdin });
  const lines = terminal[Symbol.asyncIterator]();
  await call(
    url,
    message,
    (text) => process.stdout.write(text),
    async (question) => {
      process.stdout.write(`\n${question}\n> `);
      return (await lines.next()).value ?? "";
    },
  );
  terminal.close();
}
