/** What a client says to a session at work. */
import type { Job } from "./jobs.ts";
import type { Ledger } from "./ledger.ts";
import { call, put, withdraw } from "./wire.ts";

/**
 * Says something to a session under the job's token: the same again is accepted once (R8). Begins the session where
 * there is none yet. @throws LostError
 */
export async function steerSession(
  url: string,
  { token, text }: Job,
  { session, withdraws }: NonNullable<Job["steer"]>,
  ledger: Ledger,
): Promise<void> {
  const path = `/api/chat/sessions/${session}/steer`;
  let reply = await put(url, path, { text, id: token }, undefined);
  if (reply.status === 404) {
    await beginSession(url, session, ledger);
    reply = await put(url, path, { text, id: token }, undefined);
  }
  if (reply.status !== 200) return ledger.blame(`steering ${token} was refused: ${reply.status} ${reply.text}`);
  ledger.steered.add(token);
  if (!withdraws) return;
  const gone = await withdraw(url, `${path}/${token}`);
  if (gone.status !== 200) ledger.blame(`withdrawing ${token} was refused: ${gone.status} ${gone.text}`);
  if (gone.text.includes('"removed":true')) ledger.withdrawn.add(token);
}

async function beginSession(url: string, session: string, ledger: Ledger): Promise<void> {
  const steps = ["/wait 15", "/wait 25"].map((wait) => `${wait}\n/call current_time {}`);
  const text = [...steps, "/wait 20\n/say steered"].join("\n/then\n");
  const message = { role: "user", contextId: session, parts: [{ kind: "text", text }] };
  const params = { message, configuration: { blocking: false } };
  const reply = await call(url, { method: "message/send", params, headers: { "idempotency-key": session } });
  if (reply.kind === "error") ledger.blame(`the service refused ${session}: ${reply.code} ${reply.message}`);
}
