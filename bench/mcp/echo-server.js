/** An MCP server over standard streams, without an SDK: one tool that answers with what it was sent; with `hangs`, never. */
import { createInterface } from "node:readline";

const tool = {
  name: "echo",
  description: "Use this to get back a text as it was sent.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  annotations: { readOnlyHint: true },
};

/** @param {string} method @param {{ arguments?: { text?: string } }} params */
function resultOf(method, params) {
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "echo", version: "1.0.0" },
    };
  if (method === "tools/list") return { tools: [tool] };
  if (method === "tools/call") return { content: [{ type: "text", text: params.arguments?.text ?? "" }] };
  return undefined;
}

const hangs = process.argv.includes("hangs");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined || (hangs && method === "tools/call")) continue;
  const result = resultOf(method, params);
  const answer = result === undefined ? { error: { code: -32601, message: "unknown method" } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
