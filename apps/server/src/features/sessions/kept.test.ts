/** What a deletion says that stays of a conversation (K13). */
import { expect, it } from "vitest";
import { startGatedService } from "../../testing/gated-service.ts";

it("names the skills that a deleted conversation wrote, and counts its memories that stay", async () => {
  await using service = await startGatedService();
  const say = (session_id: string, tool: string, args: object) =>
    service.ask("POST", "/api/chat", { session_id, message: `/call ${tool} ${JSON.stringify(args)}` });
  await say("roof", "save_skill", { name: "count-nests", description: "Counts nests. In spring.", body: "Twice." });
  await say("roof", "memory_ingest", { content: "Storks nest on the roof.", subject: "storks" });
  await say("roof", "memory_ingest", { content: "Herons nest by the pond.", subject: "herons" });
  await say("pond", "memory_ingest", { content: "Herons nest by the pond.", subject: "herons" });
  await say("gone", "memory_ingest", { content: "Storks nest on the roof.", subject: "storks" });
  const remove = async (id: string, query = "") =>
    (await service.ask("DELETE", `/api/chat/sessions/${id}${query}`)).body.kept;
  // Both of its memories were said elsewhere too.
  expect(await remove("roof", "?forget=true")).toEqual({ skills: ["count-nests"], facts: 2 });
  expect(await remove("gone")).toEqual({ skills: [], facts: 1 });
  expect(await remove("pond", "?forget=true")).toEqual({ skills: [], facts: 0 });
});
