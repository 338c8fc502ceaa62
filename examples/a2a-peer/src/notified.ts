// #region notified
import { createWebhookReceiver } from "@agent-service/a2a-protocol/receiver";

/** A webhook for tasks registered with `token`: tells each state once, however often an agent repeats it. */
export function notified(token: string, write: (text: string) => void): (request: Request) => Promise<Response> {
  const receive = createWebhookReceiver({ token });
  const seen = new Set<string>(); // a service keeps these with its own data, and drops them after a day
  return async (request) => {
    const told = await receive(request);
    if (told instanceof Response) return told; // not from the agent, or nothing it says
    if (told.eventId === undefined || !seen.has(told.eventId)) {
      if (told.eventId !== undefined) seen.add(told.eventId);
      for (const frame of told.frames) {
        if ("statusUpdate" in frame) write(`${told.taskId}: ${frame.statusUpdate.status.state}\n`);
        if ("artifactUpdate" in frame)
          write(`${told.taskId}: ${JSON.stringify(frame.artifactUpdate.artifact.parts)}\n`);
      }
    }
    return new Response(null, { status: 204 });
  };
}
// #endregion notified
