import { parentPort, workerData } from "node:worker_threads";
import type { StoreReply, StoreRequest } from "./group-message.ts";
import { errorData, StoreThread, type StoreThreadData } from "./store-thread.ts";

/** The entry of a store thread. It imports only files beside it and the binding, so that it starts fast. */
function serve(port: NonNullable<typeof parentPort>): void {
  const say = (reply: StoreReply): void => port.postMessage(reply);
  let thread: StoreThread | undefined;
  let turn: Promise<void> = Promise.resolve();
  const answer = async (request: StoreRequest): Promise<void> => {
    try {
      thread ??= new StoreThread(workerData as StoreThreadData);
    } catch (error) {
      say({ kind: "failed", error: errorData(error) });
      return;
    }
    say(await thread.answer(request));
    if (request.kind === "close") port.close();
  };
  port.on("message", (request: StoreRequest) => {
    turn = turn.then(() => answer(request));
  });
}

if (parentPort !== null) serve(parentPort);
