import type { ConsoleApi } from "../../api/index.ts";

/** A frame of a task's stream as it came over the wire. */
export interface Frame {
  /** The frame's number, where it has one. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Follows a task from its first frame and tells every frame as it comes. Ends with the stream; rejects as A2A does. */
export async function followFrames(
  api: Pick<ConsoleApi, "agentOver">,
  task: string,
  { tell, signal }: { readonly tell: (frame: Frame) => void; readonly signal: AbortSignal },
): Promise<void> {
  const agent = await api.agentOver(async (input, init) => {
    const response = await globalThis.fetch(input, init);
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!streams || response.body === null) return response;
    return new Response(response.body.pipeThrough(watched(tell)), response);
  });
  for await (const _ of agent.resubscribe(task, { after: 0, signal })) {
    // The frames are told on their way.
  }
}

/** Lets bytes through and tells the frames that they are. */
function watched(tell: (frame: Frame) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const split = createFrameSplitter(tell);
  return new TransformStream({
    transform(bytes, controller) {
      split(decoder.decode(bytes, { stream: true }));
      controller.enqueue(bytes);
    },
  });
}

/** Takes text in any pieces and tells the frames in it that carry data. */
export function createFrameSplitter(tell: (frame: Frame) => void): (text: string) => void {
  let pending = "";
  return (text) => {
    pending += text;
    const frames = pending.split(/\r?\n\r?\n/);
    pending = frames.pop() ?? "";
    for (const frame of frames) {
      const lines = frame.split(/\r?\n/);
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
      const id = lines.find((line) => line.startsWith("id:"));
      if (data.length > 0) tell({ id: id?.slice(3).trim(), data: data.join("\n") });
    }
  };
}
