// #region notified
import { createWebhookReceiver } from "@agent-service/a2a-protocol/receiver";

/** A webhook for tasks registered with `token`: prints each state once, however often an agent repeats it. */
export function notified(token: string, write: (text: string) => void): (request: Request) => Promise<Response> {
  const receive = createWebhookReceiver({ token });
  const seen = new Set<string>(); // a service keeps these with its own data, and drops them after a day
  return async (request) => {
    const delivery = await receive(request);
    if (delivery instanceof Response) return delivery; // not from the agent, or an invalid body
    if (delivery.eventId === undefined || !seen.has(delivery.eventId)) {
      if (delivery.eventId !== undefined) seen.add(delivery.eventId);
      for (const frame of delivery.frames) {
        if ("statusUpdate" in frame) write(`${delivery.taskId}: ${frame.statusUpdate.status.state}\n`);
        if ("artifactUpdate" in frame)
          write(`${delivery.taskId}: ${JSON.stringify(frame.artifactUpdate.artifact.parts)}\n`);
      }
    }
    return new Response(null, { status: 204 });
  };
}
// #endregion notified
