/** The external secrets manager on the running service (B71; S8). */
import type { AnyTool } from "@agent-service/agent-core/host";
import { type LocalInfisical, localInfisical } from "@agent-service/config/testing";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartupError } from "../cli/index.ts";
import { filesBelow } from "../testing/files-below.ts";
import { temporaryFolders, textOf } from "../testing/index.ts";
import { startTestService } from "../testing/test-service.ts";

const TOKEN = "operator-token-of-the-manager";
const OTHER = "a value that feeds no setting";
const LATER = "fetched-a-little-later";
const IDENTITY = { SECRETS_MANAGER_CLIENT_ID: "machine", SECRETS_MANAGER_CLIENT_SECRET: "machine-secret-4711" };

let infisical: LocalInfisical;
beforeEach(async () => {
  infisical = await localInfisical({
    clientId: IDENTITY.SECRETS_MANAGER_CLIENT_ID,
    clientSecret: IDENTITY.SECRETS_MANAGER_CLIENT_SECRET,
    projectId: "project",
    secrets: [
      { name: "A2A_AUTH_TOKEN", value: TOKEN },
      { name: "OTHER", value: OTHER },
      { name: "SVC_UI", value: "nonsense" },
    ],
  });
});
afterEach(() => infisical.close());

const configOf = (more = ""): string => `
model: { name: "scripted:demo" }
secrets_manager: { enabled: true, host: "${infisical.host}", project_id: project${more} }
`;

const tells: AnyTool = {
  name: "tells",
  description: "Returns too much.",
  input: v.object({}),
  effect: "pure",
  run: () => `it is ${OTHER}, later ${LATER}`,
};

async function call(url: string, path: string, { token = TOKEN, body }: { token?: string; body?: object } = {}) {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

describe("a service with a secrets manager", () => {
  test("is guarded by the token it fetched, returns names only, and never shows a fetched value", async () => {
    const folders = temporaryFolders();
    const running = await startTestService({
      ...{ folders, env: IDENTITY, tools: [tells] },
      config: configOf(", refresh_seconds: 77"),
    });
    expect((await call(running.url, "/api/secrets/status", { token: "other" })).status).toBe(401);
    const { status, body } = await call(running.url, "/api/secrets/status");
    expect([status, body]).toEqual([
      200,
      {
        enabled: true,
        provider: "infisical",
        host: infisical.host,
        project_id: "project",
        environment: "prod",
        path: "/",
        ok: true,
        error: null,
        error_kind: null,
        fetched_at: expect.stringMatching(/^\d{4}-.*Z$/),
        applied: 2,
        shadowed: [],
        refresh_seconds: 77,
        vars: ["A2A_AUTH_TOKEN", "OTHER"],
      },
    ]);
    const explained = await call(running.url, "/api/config/explain?key=auth.token");
    expect(explained.body.values).toMatchObject([
      { value: "", source: "environment variable A2A_AUTH_TOKEN, from the secrets manager" },
    ]);
    const task = await running.wireAs({ authorization: `Bearer ${TOKEN}` }).say("/call tells {}");
    expect(textOf(task)).toContain("it is ***");
    const runtime = await call(running.url, "/api/runtime/status");
    expect(runtime.body.features.secrets_manager).toEqual({ available: true, enabled: true });
    await running.stop();

    const written = Buffer.concat(filesBelow(folders.root).map(({ bytes }) => bytes));
    for (const secret of [TOKEN, OTHER, IDENTITY.SECRETS_MANAGER_CLIENT_SECRET])
      expect([secret, written.includes(secret), running.log.join().includes(secret)]).toEqual([secret, false, false]);
    folders.remove();
  });

  test("fetches on demand and tries other settings; a value fetched later is redacted at once", async () => {
    await using running = await startTestService({ config: configOf(), env: IDENTITY, tools: [tells] });
    infisical.hold([{ name: "LATER", value: LATER }]);
    expect((await call(running.url, "/api/secrets/sync", { body: {} })).body).toMatchObject({
      ok: true,
      vars: ["LATER"],
    });
    const task = await running.wireAs({ authorization: `Bearer ${TOKEN}` }).say("/call tells {}");
    expect(textOf(task)).toContain("later ***");
    const path = "/api/secrets/test";
    expect((await call(running.url, path, { body: { path: "/none" } })).body).toMatchObject({ ok: true, count: 0 });
    expect((await call(running.url, path, { body: { client_secret: "wrong" } })).body).toMatchObject({
      ok: false,
      error_kind: "auth_failed",
    });
    const refused = await call(running.url, path, { body: { client_secret: 7, timeout_seconds: 600 } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining("timeout_seconds")]);
  });

  test("lets a token in that it fetched while running, and fetches anew on a reload", async () => {
    await using running = await startTestService({ config: configOf(), env: IDENTITY });
    const rotated = { name: "A2A_AUTH_TOKEN", value: "the-rotated-token" };
    infisical.hold([rotated, { ...rotated, path: "/apps" }]);
    expect((await call(running.url, "/api/secrets/sync", { body: {} })).status).toBe(200);
    expect((await call(running.url, "/api/secrets/status")).status).toBe(401);
    expect((await call(running.url, "/api/secrets/status", { token: "the-rotated-token" })).status).toBe(200);

    const asked = infisical.requests.length;
    running.folders.configure(configOf(", path: /apps"));
    expect(running.live.reload()).toMatchObject({ ok: true, changed: ["secrets_manager.path"] });
    expect((await call(running.url, "/api/secrets/sync", { token: "the-rotated-token", body: {} })).body).toMatchObject(
      {
        path: "/apps",
        vars: ["A2A_AUTH_TOKEN"],
      },
    );
    expect(infisical.requests.length).toBe(asked + 2);
  });

  test("starts without it, and warns", async () => {
    infisical.answerWith({ status: 503 });
    await using running = await startTestService({ config: configOf(), env: { ...IDENTITY, A2A_AUTH_TOKEN: TOKEN } });
    expect(running.log.join("")).toContain("secrets manager: the manager answered 503");
    expect((await call(running.url, "/api/secrets/status")).body).toMatchObject({
      ok: false,
      error_kind: "bad_response",
    });
    expect((await call(running.url, "/api/secrets/sync", { body: {} })).status).toBe(200);
  });

  test("does not start without one that is required; a sync that fails later is 502", async () => {
    const config = configOf(", required: true");
    const running = await startTestService({ config, env: { ...IDENTITY, A2A_AUTH_TOKEN: TOKEN } });
    infisical.answerWith({ status: 500 });
    expect(await call(running.url, "/api/secrets/sync", { body: {} })).toMatchObject({
      status: 502,
      body: { detail: "the manager answered 500" },
    });
    await running.stop();
    const start = startTestService({ config, env: IDENTITY });
    await expect(start).rejects.toThrow(StartupError);
    await expect(start).rejects.toMatchObject({
      code: "secrets-unavailable",
      message: expect.stringContaining("secrets_manager.required is set"),
    });
    await using off = await startTestService({ config, env: { ...IDENTITY, SVC_NO_SECRETS_HYDRATE: "1" } });
    expect((await call(off.url, "/api/secrets/status")).body).toMatchObject({ enabled: false, ok: null });
  });

  test("answers 400 to a sync where none is enabled", async () => {
    await using running = await startTestService();
    expect((await call(running.url, "/api/secrets/sync", { body: {} })).status).toBe(400);
    expect((await call(running.url, "/api/secrets/status")).body).toMatchObject({ enabled: false });
  });

  test("does not start with a wrong value in its section (S8)", async () => {
    const config = "secrets_manager: { enabled: true, host: ftp://x, project_id: p }";
    await expect(startTestService({ config, env: IDENTITY })).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("secrets_manager.host"),
    });
  });
});
