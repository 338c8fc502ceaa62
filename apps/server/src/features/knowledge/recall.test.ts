/** Memory before a turn, through the service (K2 to K4, K17 to K19). */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

interface Row {
  readonly kind: string;
  readonly items: readonly { readonly chunk_id: number; readonly kind: string }[];
  readonly late: boolean;
  readonly duration_ms: number;
  readonly left_out: readonly { readonly reason: string }[];
}

/** Says something in a conversation of its own; resolves with what was recalled for it. */
async function recalledFor(service: TestService, text: string): Promise<Row | undefined> {
  const task = (await service.wire.say(text)) as { id: string };
  const journal = (await (await fetch(`${service.url}/api/a2a/tasks/${task.id}/journal`)).json()) as { events: Row[] };
  return journal.events.find(({ kind }) => kind === "recalled");
}

const ids = (row: Row | undefined) => row?.items.map(({ chunk_id }) => chunk_id);

it("puts what fits, and what is always on, before the model of the operator's turns alone (K3, K17)", async () => {
  await using service = await startGatedService();
  await service.say('/call memory_ingest {"content":"Be brief.","domain":"hot"}');
  await service.say('/call memory_ingest {"content":"Oat milk.","subject":"coffee"}');
  const reply = await service.ask("POST", "/api/chat", { session_id: "s", message: "Which coffee?" });
  expect(reply.status).toBe(200);
  const { body } = await service.ask("GET", "/api/chat/sessions/s/turns");
  const recalled = [
    { chunk_id: 1, revision: 1, kind: "always" },
    { chunk_id: 2, revision: 1, kind: "hit" },
  ];
  expect(body.turns[0]).toMatchObject({ recalled });
  await service.ask("POST", "/api/chat", { session_id: "s", message: "Which coffee was it?" });
  const again = await service.ask("GET", "/api/chat/sessions/s/turns");
  expect(again.body.turns.map((turn: object) => "recalled" in turn)).toEqual([false, true]);
  expect(JSON.stringify(again.body)).not.toContain("From your memory");
  const peers = JSON.parse(await service.say("Which coffee?", PEERS_TOKEN)) as { id: string };
  const { events } = (await service.ask("GET", `/api/a2a/tasks/${peers.id}/journal`)).body;
  expect(events.map(({ kind }: Row) => kind)).not.toContain("recalled");
  const incognito = { session_id: "i", message: "Which coffee?", incognito: true };
  await service.ask("POST", "/api/chat", incognito);
  expect(JSON.stringify((await service.ask("GET", "/api/chat/sessions/i/turns")).body)).not.toContain('"recalled"');
});

it("obeys middleware.knowledge, knowledge.top_k and context.budget_pct (K2, K18)", async () => {
  await using service = await startTestService({
    config: "knowledge: {top_k: 9, recall_timeout_ms: 60000}\ncontext: {budget_pct: 1}\n",
  });
  for (let i = 0; i < 9; i++)
    await service.wire.say(`/call memory_ingest ${JSON.stringify({ content: `Ferns ${i}: ${"leaf ".repeat(390)}` })}`);
  expect(ids(await recalledFor(service, "ferns"))).toHaveLength(8);
  const settle = (config: string) => {
    service.folders.configure(config);
    service.live.reload();
  };
  settle("knowledge: {top_k: 9, recall_timeout_ms: 60000}\ncontext: {budget_pct: 0}\n");
  expect(ids(await recalledFor(service, "ferns"))).toHaveLength(9);
  settle("knowledge: {top_k: 2, recall_timeout_ms: 60000}\n");
  expect(ids(await recalledFor(service, "ferns"))).toHaveLength(2);
  settle("middleware: {knowledge: false}\n");
  expect(await recalledFor(service, "ferns")).toBeUndefined();
  const status = (await (await fetch(`${service.url}/api/runtime/status`)).json()) as {
    middleware: { knowledge: boolean };
  };
  expect(status.middleware.knowledge).toBe(false);
});

it("waits for a store that does not answer as long as knowledge.recall_timeout_ms says (K19)", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const env = { KNOWLEDGE_DB_PATH: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` };
  await using service = await startTestService({ env, config: "knowledge: {recall_timeout_ms: 300}\n" });
  const row = await recalledFor(service, "ferns");
  // Otherwise the service would wait, while it stops, for what it asked.
  silent.closeAllConnections();
  silent.close();
  expect(row).toMatchObject({ late: true, items: [] });
  expect(row?.duration_ms).toBeGreaterThanOrEqual(299);
});
