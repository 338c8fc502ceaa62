import { parentPort } from "node:worker_threads";
import type { StoreReply, StoreThreadMessage } from "./group-message.ts";
import { collectLargeGarbage } from "./large-garbage.ts";
import { errorData, StoreThread } from "./store-thread.ts";

/** The entry of a store thread. It imports only files beside it and the binding, so that it starts fast. */
function serve(port: NonNullable<typeof parentPort>): void {
  const post = (reply: StoreReply): void => port.postMessage(reply);
  const files = new Map<number, StoreThread>();
  let turn: Promise<void> = Promise.resolve();
  const answer = async ({ file, request, data }: StoreThreadMessage): Promise<void> => {
    let thread: StoreThread | undefined;
    try {
      if (data !== undefined) files.set(file, new StoreThread(data));
      thread = files.get(file);
    } catch (error) {
      post({ kind: "failed", error: errorData(error) });
      return;
    }
    if (thread === undefined) {
      post({ kind: "failed", error: { code: "closed", message: "the file is not open" } });
      return;
    }
    const reply = await thread.answer(request);
    if (request.kind === "close" || (request.kind === "open" && reply.kind === "failed")) files.delete(file);
    post(reply);
  };
  port.on("message", (message: StoreThreadMessage) => {
    turn = turn.then(() => answer(message));
  });
}

if (parentPort !== null) {
  serve(parentPort);
  collectLargeGarbage();
}
