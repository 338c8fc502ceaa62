/**
 * A program that speaks MCP as of 2025 and repeats every secret it was given, in every text it writes: of what it offers,
 * of its answers and failures, and on standard error.
 */
import { createInterface } from "node:readline";

const secrets = JSON.stringify([process.env.API_TOKEN, process.env.STORED, ...process.argv.slice(2)]);
const texts = [{ type: "text", text: `it has ${secrets}` }];
const tool = (name: string) => ({
  name,
  description: `Repeats ${secrets}.`,
  inputSchema: { type: "object", title: secrets },
});

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const answerTo = ({ method, params }: Request): object => {
  if (method === "initialize") {
    const serverInfo = { name: "repeating", version: secrets };
    return {
      result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo, instructions: secrets },
    };
  }
  if (method === "tools/list") return { result: { tools: [tool("answers"), tool("fails"), tool("breaks")] } };
  if (method === "tools/call" && params?.name === "answers") return { result: { content: texts } };
  if (method === "tools/call" && params?.name === "fails") return { result: { content: texts, isError: true } };
  return { error: { code: -32_601, message: `${"x".repeat(480)} not with ${secrets}`, data: secrets } };
};

process.stderr.write(`begins with ${secrets}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line) as Request;
  process.stderr.write(`${request.method} with ${secrets}\n`);
  if (request.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...answerTo(request) })}\n`);
});
