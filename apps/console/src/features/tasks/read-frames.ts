import type { ConsoleApi } from "../../api/index.ts";

/** A frame of a task's stream as it was received. */
export interface Frame {
  /** The frame's number, where it has one. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Follows a task from its first frame; calls `onFrame` with each. Resolves at the end of the stream; rejects with the error of the A2A client. */
export async function followFrames(
  api: Pick<ConsoleApi, "agentOver">,
  task: string,
  { onFrame, signal }: { readonly onFrame: (frame: Frame) => void; readonly signal: AbortSignal },
): Promise<void> {
  const agent = await api.agentOver(async (input, init) => {
    const response = await globalThis.fetch(input, init);
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!streams || response.body === null) return response;
    return new Response(response.body.pipeThrough(watched(onFrame)), response);
  });
  for await (const _ of agent.resubscribe(task, { after: 0, signal })) {
    // `onFrame` received them already.
  }
}

/** Passes bytes on unchanged and calls `onFrame` with the frames in them. */
function watched(onFrame: (frame: Frame) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const split = createFrameSplitter(onFrame);
  return new TransformStream({
    transform(bytes, controller) {
      split(decoder.decode(bytes, { stream: true }));
      controller.enqueue(bytes);
    },
  });
}

/** Takes text in chunks of any size and calls `onFrame` with the frames that have data. */
export function createFrameSplitter(onFrame: (frame: Frame) => void): (text: string) => void {
  let pending = "";
  return (text) => {
    pending += text;
    const frames = pending.split(/\r?\n\r?\n/);
    pending = frames.pop() ?? "";
    for (const frame of frames) {
      const lines = frame.split(/\r?\n/);
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
      const id = lines.find((line) => line.startsWith("id:"));
      if (data.length > 0) onFrame({ id: id?.slice(3).trim(), data: data.join("\n") });
    }
  };
}
