import { expect, it } from "vitest";
import { streamReader } from "./stream-reader.ts";

function response(...chunks: string[]): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return new Response(body);
}

it("reads events cut anywhere, counts comments and ends with the stream", async () => {
  const reader = streamReader(
    response(": hi\n\nid: 3\nda", 'ta: {"result":{"kind":"task"}}\n', '\ndata: {"error":{"code":-1}}\n\n'),
  );
  expect(await reader.until((frame) => frame.kind === "task")).toEqual({ id: 3, frame: { kind: "task" } });
  expect(await reader.rest()).toEqual([
    { id: 3, frame: { kind: "task" } },
    { id: 0, frame: { error: { code: -1 } } },
  ]);
  expect(reader.comments).toBe(1);
  await expect(reader.until(() => true)).rejects.toThrow("the stream ended before");
});
