import { serve } from "@hono/node-server";
import weather from "./weather.ts";

/** `node --conditions=@agent-service/source src/main.ts [port]` serves the agent; port 0 takes a free one. */
const port = Number(process.argv[2] ?? 7871);
serve({ fetch: (request) => weather.fetch(request), port, hostname: "127.0.0.1" }, (address) => {
  console.log(`weather agent at http://127.0.0.1:${address.port}`);
});
