/** The agent edits its persona: asked with a diff, as a version, restored by the operator (K29). */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedService, PEERS_TOKEN, startGatedService } from "../../testing/gated-service.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

const EDIT = '/call edit_soul {"section":"manner","content":"Be brief.","reason":"Ada asked for it."}';

describe("edit_soul", () => {
  let service: GatedService;
  const soulFile = () => join(service.running.folders.config, "SOUL.md");
  beforeAll(async () => {
    service = await startGatedService();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const ask: GatedService["ask"] = (...request) => service.ask(...request);
  const save = (soul: object) => ask("POST", "/api/config", { config: { soul } });

  it("does not exist before self_edit_enabled, and never for peers", async () => {
    expect(await service.say(EDIT)).toContain("there is no tool named");
    expect((await save({ self_edit_enabled: true })).status).toBe(200);
    expect(await service.say(EDIT, PEERS_TOKEN)).toContain("there is no tool named");
  });

  it("asks with the difference, is a version, and counts at once", async () => {
    await ask("POST", "/api/config", { soul: "## Role\nA colleague.\n\n## Manner\nChatty." });
    const asked = await service.say(EDIT);
    expect(asked).toContain("input-required");
    expect(readFileSync(soulFile(), "utf8")).toContain("Chatty.");
    const { body } = await ask("GET", "/api/approvals");
    expect(body.approvals).toHaveLength(1);
    const [{ prompt_id, id = prompt_id, task_id }] = body.approvals;
    const { body: shown } = await ask("GET", `/api/approvals/${id}/preview`).catch(() => ({ body: {} }));
    expect(JSON.stringify([body, shown])).toContain("Ada asked for it.");
    expect(JSON.stringify(shown)).toMatch(/-Chatty\.[\s\S]*\+Be brief\./);
    expect(task_id).toEqual(expect.any(String));
    await ask("POST", `/api/approvals/${id}`, { decision: "approve" });
    await expect.poll(() => readFileSync(soulFile(), "utf8")).toBe("## Role\nA colleague.\n\n## Manner\n\nBe brief.\n");
    const { versions } = (await ask("GET", "/api/config/soul/versions")).body;
    expect(versions).toMatchObject([
      { version: 2, author: "agent", reason: "Ada asked for it.", session_id: expect.any(String) },
      { version: 1, author: "hand" },
    ]);
    await expect
      .poll(() => service.published.find(({ topic }) => topic === "persona.self_edited")?.data)
      .toMatchObject({ section: "manner", mode: "replace", version: 2 });
  });

  it("is taken back by restoring a version", async () => {
    const { versions } = (await ask("GET", "/api/config/soul/versions?version=1")).body;
    expect(versions).toMatchObject([{ version: 1, text: "## Role\nA colleague.\n\n## Manner\nChatty." }]);
    expect((await ask("POST", "/api/config/soul/restore", { version: 1 })).body).toEqual({ ok: true, version: 3 });
    expect((await ask("GET", "/api/config")).body.soul).toContain("Chatty.");
    expect((await ask("POST", "/api/config/soul/restore", { version: 99 })).status).toBe(404);
    expect((await ask("GET", "/api/config/soul/versions?version=99")).status).toBe(404);
  });

  it("refuses what is empty, equal, more than one section, or too long, without asking", async () => {
    await save({ self_edit_approval: false });
    for (const [args, why] of [
      [{ section: "Manner", content: " " }, "the content is empty"],
      [{ section: "Manner", content: "Chatty." }, "the persona says that already"],
      [{ section: "Manner", content: "a\n## Role\nb" }, "one call edits one section"],
      [{ section: "a\nb", content: "x" }, "a section is named by its heading"],
      [{ section: "Manner", content: "x".repeat(64 * 1024) }, "would exceed 64 KiB"],
    ] as const)
      expect(await service.say(`/call edit_soul ${JSON.stringify(args)}`)).toContain(why);
    expect(await service.say(EDIT)).toContain("Changed the section 'manner' of the persona (version 4).");
  });
});

it("keeps a version of each save, however soon the next one follows (K29)", async () => {
  await using service = await startGatedService();
  const texts = ["One.", "Two.", "Three.", "One."];
  for (const soul of texts) await service.ask("POST", "/api/config", { soul });
  const versions = async () => (await service.ask("GET", "/api/config/soul/versions")).body.versions;
  const chars = (await versions()).map((one: { version: number; chars: number }) => [one.version, one.chars]);
  expect(chars).toEqual([
    [4, 4],
    [3, 6],
    [2, 4],
    [1, 4],
  ]);
});

it("finds at the next start what was written by hand, and keeps what was before", async () => {
  const folders = temporaryFolders();
  folders.configure("soul: { self_edit_enabled: true, self_edit_approval: false }");
  const soul = join(folders.config, "SOUL.md");
  {
    await using service = await startTestService({ folders });
    await service.wire.say(EDIT);
    expect(readFileSync(soul, "utf8")).toBe("## manner\n\nBe brief.\n");
  }
  writeFileSync(soul, "By hand.\n");
  await using service = await startTestService({ folders });
  const { versions } = (await (await fetch(`${service.url}/api/config/soul/versions`)).json()) as {
    versions: { author: string; chars: number }[];
  };
  expect(versions.map(({ author, chars }) => [author, chars])).toEqual([
    ["hand", 8],
    ["agent", 20],
  ]);
});
