/** The operator API on the running service (O1, O2, O4, S1). */
import { operatorDefinitions, operatorResources, unbuiltDefinitions } from "@agent-service/operator-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    config: "providers:\n  - id: main\n    type: scripted\nmodel: {name: main:demo}\nauth: {token: the-operators}\n",
  });
});
afterAll(() => running.stop());

async function get(path: string, token = "the-operators"): Promise<{ status: number; body: unknown }> {
  const response = await fetch(running.url + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: await response.json() };
}

describe("the operator API", () => {
  it("reports what the service runs on; unbuilt parts are off", async () => {
    const { status, body } = await get("/api/runtime/status");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      graph_loaded: true,
      instance_uid: expect.stringMatching(/^[0-9a-f]{24}$/),
      model: { provider: "main", name: "demo", api_key_configured: false },
      features: { a2a: { available: true, enabled: true }, fleet: { available: false, enabled: false } },
      middleware: { compaction: false, audit: true, prompt_cache: true, knowledge: true },
      storage: { durable: true, checkpoint_bytes: expect.any(Number) },
    });
    expect(JSON.stringify(body)).not.toContain("the-operators");
  });

  it("serves every definition there is, in the one table, for the operator alone", () => {
    const rows = running.service.routes.filter(({ path }) => String(path).startsWith("/api/"));
    const mounted = rows.map(({ method, path }) => `${method} ${String(path).replaceAll(/:(\w+)/g, "{$1}")}`);
    const defined = [...operatorDefinitions, ...unbuiltDefinitions].map(({ method, path }) => `${method} ${path}`);
    expect(mounted.toSorted()).toEqual(defined.toSorted());
  });

  it("answers for unbuilt parts as in O4, and the status agrees", async () => {
    const { body } = await get("/api/runtime/status");
    const { features } = body as { features: Record<string, { available: boolean }> };
    // Workflows have no routes of their own yet.
    const notBuilt = operatorResources.flatMap(({ feature, unbuilt }) =>
      unbuilt === undefined ? [] : (feature ?? []),
    );
    const missing = new Set<string | undefined>(["workflows", ...notBuilt]);
    for (const [name, { available }] of Object.entries(features))
      expect([name, available]).toEqual([name, !missing.has(name)]);
    expect(await get("/api/plugins/installed")).toMatchObject({
      status: 200,
      body: { enabled: false, next_cursor: null },
    });
    const disabled = { code: "disabled", reason: "The code pane is off: filesystem.code_pane." };
    expect(await get("/api/fs/file")).toEqual({ status: 404, body: { detail: disabled } });
    expect(await get("/api/archetypes/x/preview")).toMatchObject({ status: 503, body: { detail: expect.any(String) } });
    expect(await get("/api/fleet", "wrong")).toMatchObject({ status: 401 });
  });

  it("describes itself, and lists its operations", async () => {
    const { body } = await get("/api/openapi.json");
    const { paths } = body as { paths: object };
    const { operations } = (await get("/api/operations")).body as { operations: { path: string }[] };
    expect(Object.keys(paths)).toEqual([...new Set(operations.map(({ path }) => path))].toSorted());
  });

  it("answers {detail} without a credential, on unknown paths and to other methods", async () => {
    expect(await get("/api/runtime/status", "wrong")).toMatchObject({
      status: 401,
      body: { detail: expect.any(String) },
    });
    expect(await get("/api/nothing")).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    const response = await fetch(`${running.url}/api/operations`, {
      method: "DELETE",
      headers: { authorization: "Bearer the-operators" },
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
  });
});

it("answers a POST that is repeated under its key with the first answer, over a restart too (A15)", async () => {
  const folders = temporaryFolders();
  const post = async ({ url }: TestService, body: object) => {
    const response = await fetch(`${url}/api/secrets/test`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "idempotency-key": "key-1" },
    });
    return {
      status: response.status,
      replayed: response.headers.get("idempotency-replayed"),
      text: await response.text(),
    };
  };
  const first = await startTestService({ folders });
  const answer = await post(first, {});
  expect([answer.status, answer.replayed]).toEqual([200, null]);
  expect(await post(first, {})).toEqual({ ...answer, replayed: "true" });
  await first.stop();
  await using second = await startTestService({ folders });
  expect(await post(second, {})).toEqual({ ...answer, replayed: "true" });
  expect(await post(second, { project_id: "other" })).toMatchObject({ status: 422 });
  await second.stop();
  folders.remove();
});
