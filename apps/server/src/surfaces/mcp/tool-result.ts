/** Results of calls as MCP clients read them. */
import type { CallToolResult } from "@modelcontextprotocol/server";

/** Bytes of what an operation answers. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Texts, one after another. */
export function textResult(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

/** Why a call did nothing, or went wrong. */
export function errorResult(text: string): CallToolResult {
  return { ...textResult(text), isError: true };
}

/** What an operation answered: its JSON or text as it is, an image as one. */
export async function resultOfResponse(response: Response): Promise<CallToolResult> {
  const bytes = await readBounded(response);
  if (bytes === undefined)
    return errorResult(`The answer is larger than ${MAX_BYTES} bytes: ask for less, such as a smaller page.`);
  const type = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim() ?? "";
  if (!response.ok) return errorResult(`${response.status}: ${bytes.toString()}`);
  if (bytes.length === 0) return textResult("Done.");
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type))
    return { content: [{ type: "image", data: bytes.toString("base64"), mimeType: type }] };
  if (/^(?:text\/|application\/json$)/.test(type)) return textResult(bytes.toString());
  return textResult(`[${type}, ${bytes.length} bytes: not shown here]`);
}

async function readBounded({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
