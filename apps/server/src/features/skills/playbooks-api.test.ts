/** Skills through the operator API: rows, changes, versions, the commons, and what is refused (K26, K28, O4). */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatedService, startGatedService } from "../../testing/gated-service.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService();
});
afterAll(() => service[Symbol.asyncDispose]());
const ask: GatedService["ask"] = (...request) => service.ask(...request);
const root = () => join(service.running.folders.config, "skills");

const TEA = { name: "tea", description: "Makes tea.", prompt_template: "Boil.", user_facing: true, slash: "/brew" };

describe("/api/playbooks", () => {
  it("creates, lists, changes, deletes and restores, each a version", async () => {
    const made = await ask("POST", "/api/playbooks", { ...TEA, tools: ["calculator"], reason: "For guests." });
    expect(made).toMatchObject({
      status: 200,
      body: {
        ...{ enabled: true, id: "tea" },
        skill: {
          ...{ id: "tea", name: "tea", description: "Makes tea.", tools_used: ["calculator"], source: "disk" },
          ...{ user_facing: true, slash: "brew", user_only: false, tier: "private", origin: "user", editable: true },
          ...{ promotable: false, fault: null, prompt_template: "Boil.", files: [], uses: 0, last_used: null },
        },
      },
    });
    const { body } = await ask("GET", "/api/playbooks?limit=2");
    expect(body.playbooks.map(({ name, editable }: { name: string; editable: boolean }) => [name, editable])).toEqual([
      ["code-review", false],
      ["research-report", false],
    ]);
    const rest = await ask("GET", `/api/playbooks?cursor=${body.next_cursor}`);
    expect(rest.body.playbooks.map(({ name }: { name: string }) => name)).toEqual(["tea", "write-a-skill"]);
    await ask("PUT", "/api/playbooks/tea", { body: "Boil longer.", slash: "" });
    const { body: read } = await ask("GET", "/api/playbooks/tea");
    expect(read.skill).toMatchObject({ prompt_template: "Boil longer.", slash: "tea", tools_used: ["calculator"] });
    expect(readFileSync(join(root(), "tea", "SKILL.md"), "utf8")).toBe(read.skill.text);
    expect((await ask("DELETE", "/api/playbooks/tea")).body).toEqual({ enabled: true, deleted: true });
    expect((await ask("GET", "/api/playbooks/tea")).status).toBe(404);
    const { body: kept } = await ask("GET", "/api/playbooks/tea/versions");
    expect(kept.versions).toMatchObject([
      { version: 3, author: "operator", chars: null, session_id: null },
      { version: 2, author: "operator", reason: "" },
      { version: 1, reason: "For guests.", at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    const { body: first } = await ask("GET", "/api/playbooks/tea/versions?version=1");
    expect(first.versions).toEqual([expect.objectContaining({ version: 1, text: expect.stringContaining("Boil.") })]);
    expect((await ask("POST", "/api/playbooks/tea/restore", { version: 1 })).body.skill).toMatchObject({
      prompt_template: "Boil.",
      slash: "brew",
    });
    await expect
      .poll(() => service.published.filter(({ topic }) => topic === "skill.changed").map(({ data }) => data))
      .toEqual(
        ["added", "changed", "removed", "added"].map((action) => expect.objectContaining({ name: "tea", action })),
      );
  });

  it("refuses by the code that says why, and repeats nothing", async () => {
    const status = async (...request: Parameters<GatedService["ask"]>) => (await ask(...request)).status;
    expect(await status("POST", "/api/playbooks", TEA)).toBe(409);
    expect(await status("POST", "/api/playbooks", { ...TEA, name: "code-review" })).toBe(409);
    expect(await status("POST", "/api/playbooks", { ...TEA, name: "jam" })).toBe(409);
    for (const missing of [
      {},
      { name: "jam" },
      { name: "jam", description: "Jam." },
      { ...TEA, name: "jam", description: " " },
    ])
      expect(await status("POST", "/api/playbooks", missing)).toBe(400);
    for (const name of ["Tea", "../tea", "tea/x", "x".repeat(65), "", 7])
      expect(await status("POST", "/api/playbooks", { ...TEA, name, slash: "" }), String(name)).toBe(422);
    expect(await status("POST", "/api/playbooks", { ...TEA, name: "jam", slash: "no command" })).toBe(422);
    expect(await status("PUT", "/api/playbooks/code-review", { body: "x" })).toBe(403);
    expect(await status("DELETE", "/api/playbooks/code-review")).toBe(403);
    expect(await status("PUT", "/api/playbooks/none", { body: "x" })).toBe(404);
    expect(await status("GET", "/api/playbooks/none/versions")).toBe(404);
    expect(await status("GET", "/api/playbooks/tea/versions?version=99")).toBe(404);
    expect(await status("POST", "/api/playbooks/tea/restore", { version: 99 })).toBe(404);
    expect(await status("POST", "/api/playbooks/tea/restore", { version: 0 })).toBe(422);
    expect(await status("POST", "/api/playbooks/tea/promote")).toBe(409);
    mkdirSync(join(root(), "elsewhere"), { recursive: true });
    symlinkSync(join(root(), "elsewhere"), join(root(), "linked"));
    await expect.poll(async () => (await ask("GET", "/api/playbooks/linked")).body.skill?.fault).toContain("a link");
    expect(await status("PUT", "/api/playbooks/linked", { body: "x" })).toBe(409);
    const long = await ask("POST", "/api/playbooks", {
      ...TEA,
      name: "jam",
      slash: "",
      prompt_template: "secret".repeat(10_920),
    });
    expect([long.status, JSON.stringify(long.body).includes("secretsecret")]).toEqual([422, false]);
  });

  it("makes a request that is repeated once", async () => {
    const headers = { "idempotency-key": "k1" };
    const send = () =>
      fetch(`${service.running.url}/api/playbooks`, {
        method: "POST",
        headers: { authorization: "Bearer the-operators", ...headers, "content-type": "application/json" },
        body: JSON.stringify({ ...TEA, name: "soup", slash: "" }),
      });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect((await ask("GET", "/api/playbooks/soup/versions")).body.versions).toHaveLength(1);
  });
});

it("shares skills in the commons where the scope is layered, and writes them there where it is shared (K26)", async () => {
  const folders = temporaryFolders();
  const commons = join(folders.home, "ours");
  folders.configure(`knowledge: { scope: layered, commons_path: "${commons}" }`);
  await using first = await startTestService({ folders });
  const call = async (url: string, method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return {
      status: response.status,
      body: (await response.json()) as { skill: object; playbooks: { name: string }[] },
    };
  };
  await call(first.url, "POST", "/api/playbooks", TEA);
  writeFileSync(join(folders.config, "skills", "tea", "water.md"), "Soft.");
  expect(await call(first.url, "POST", "/api/playbooks/tea/promote")).toEqual({
    status: 200,
    body: { enabled: true, promoted: true, name: "tea" },
  });
  expect(readFileSync(join(commons, "skills", "tea", "water.md"), "utf8")).toBe("Soft.");
  expect(await call(first.url, "POST", "/api/playbooks/code-review/promote")).toMatchObject({ status: 403 });
  writeFileSync(join(folders.config, "skills", "tea", "picture.bin"), Buffer.from([0, 255]));
  expect(await call(first.url, "POST", "/api/playbooks/tea/promote")).toMatchObject({ status: 422 });

  const others = temporaryFolders();
  others.configure(`knowledge: { scope: layered, commons_path: "${commons}" }`);
  await using second = await startTestService({ folders: others });
  expect((await call(second.url, "GET", "/api/playbooks/tea")).body.skill).toMatchObject({
    ...{ tier: "commons", origin: "commons", editable: false, promotable: false, prompt_template: "Boil." },
  });
  expect(await call(second.url, "PUT", "/api/playbooks/tea", { body: "x" })).toMatchObject({ status: 403 });

  const third = temporaryFolders();
  third.configure(`knowledge: { scope: shared, commons_path: "${commons}" }`);
  await using writing = await startTestService({ folders: third });
  expect(await call(writing.url, "PUT", "/api/playbooks/tea", { body: "Boil less." })).toMatchObject({ status: 200 });
  await expect
    .poll(async () => (await call(second.url, "GET", "/api/playbooks/tea")).body.skill)
    .toMatchObject({ prompt_template: "Boil less." });
  expect(existsSync(join(third.config, "skills"))).toBe(false);
});

it("answers as a part that is not there while skills are switched off (O4)", async () => {
  const folders = temporaryFolders();
  folders.configure("skills: { enabled: false }");
  await using service = await startTestService({ folders });
  const get = async (path: string) => {
    const response = await fetch(service.url + path);
    return { status: response.status, body: (await response.json()) as object };
  };
  expect(await get("/api/playbooks")).toEqual({
    status: 200,
    body: { enabled: false, playbooks: [], next_cursor: null },
  });
  expect(await get("/api/playbooks/code-review")).toMatchObject({ status: 503 });
  expect((await get("/api/runtime/status")).body).toMatchObject({ skills: { enabled: false, count: 0 } });
});
