import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "../load-config.ts";
import { verifySection } from "../section/index.ts";
import { type LocalInfisical, localInfisical } from "../testing/index.ts";
import { hydrate } from "./hydrate.ts";
import { createSecretsManager, type RefreshClock, type SecretsManagerOptions } from "./secrets-manager.ts";
import { type SecretsManagerSectionValue, secretsManagerSection } from "./secrets-manager-section.ts";

const IDENTITY = { client_id: "machine-4711", client_secret: "machine-secret-0815" };

let infisical: LocalInfisical;
beforeEach(async () => {
  infisical = await localInfisical({
    clientId: IDENTITY.client_id,
    clientSecret: IDENTITY.client_secret,
    projectId: "project",
    secrets: [
      { name: "MODEL_API_KEY", value: "from-the-manager" },
      { name: "DEEP", value: "below", path: "/apps/agent" },
      { name: "MODEL_API_KEY", value: "further-down", path: "/apps" },
      { name: "UNSEEN", value: "x", hidden: true },
    ],
    imports: [
      [{ name: "SHARED", value: "first" }],
      [
        { name: "SHARED", value: "last" },
        { name: "DEEP", value: "no" },
      ],
    ],
  });
});
afterEach(() => infisical.close());

function settings(more: Partial<SecretsManagerSectionValue> = {}): SecretsManagerSectionValue {
  return {
    ...v.parse(secretsManagerSection.schema, {}),
    ...IDENTITY,
    enabled: true,
    host: infisical.host,
    project_id: "project",
    ...more,
  };
}

/** Time that stands until a test turns it. */
function handClock() {
  const waiting = new Set<{ run: () => void; at: number }>();
  let time = Date.UTC(2026, 10, 21);
  const clock: RefreshClock = {
    now: () => time,
    setTimeout(run, ms) {
      const entry = { run, at: time + ms };
      waiting.add(entry);
      return { cancel: () => void waiting.delete(entry) };
    },
  };
  const turn = (ms: number): void => {
    time += ms;
    for (const entry of [...waiting]) {
      if (entry.at > time) continue;
      waiting.delete(entry);
      entry.run();
    }
  };
  return { clock, turn, waiting };
}

function manage(options: Partial<SecretsManagerOptions> = {}) {
  const logged: string[] = [];
  const time = handClock();
  const changes: number[] = [];
  const manager = createSecretsManager({
    settings: () => settings(),
    env: {},
    fetch,
    clock: time.clock,
    log: { info: (message) => void logged.push(message), warn: (message) => void logged.push(message) },
    onChange: () => void changes.push(1),
    ...options,
  });
  return { manager, logged, changes, ...time };
}

test("the section's declaration is whole", () => {
  expect(verifySection(secretsManagerSection)).toEqual([]);
});

describe("fetching", () => {
  test("fills the environment: the nearer folder first, then those below, then imports, the last of them first", async () => {
    const { manager } = manage();
    expect(manager.status()).toMatchObject({ ok: null, vars: [], fetched_at: null });
    const status = await manager.sync();
    expect(manager.environment()).toEqual({ MODEL_API_KEY: "from-the-manager", DEEP: "below", SHARED: "last" });
    expect(status).toEqual({
      enabled: true,
      provider: "infisical",
      host: infisical.host,
      project_id: "project",
      environment: "prod",
      path: "/",
      ok: true,
      error: null,
      error_kind: null,
      fetched_at: "2026-11-21T00:00:00.000Z",
      applied: 3,
      shadowed: [],
      refresh_seconds: 300,
      vars: ["DEEP", "MODEL_API_KEY", "SHARED"],
    });
  });

  test("asks for one folder only where recursive is off", async () => {
    const { manager } = manage({ settings: () => settings({ path: "/apps", recursive: false }) });
    await manager.sync();
    expect(manager.environment()).toEqual({ MODEL_API_KEY: "further-down", SHARED: "last", DEEP: "no" });
  });

  test("leaves the process's own variables alone, unless override_env", async () => {
    const env = { MODEL_API_KEY: "my own", PATH: "/bin" };
    const own = manage({ env });
    expect(await own.manager.sync()).toMatchObject({ shadowed: ["MODEL_API_KEY"], vars: ["DEEP", "SHARED"] });
    expect(own.manager.environment()).toMatchObject({ MODEL_API_KEY: "my own", PATH: "/bin", DEEP: "below" });
    const over = manage({ env, settings: () => settings({ override_env: true }) });
    await over.manager.sync();
    expect(over.manager.environment()).toMatchObject({ MODEL_API_KEY: "from-the-manager", PATH: "/bin" });
    expect(env).toEqual({ MODEL_API_KEY: "my own", PATH: "/bin" });
  });

  test("is off with SVC_NO_SECRETS_HYDRATE, whatever its value", async () => {
    const { manager } = manage({ env: { SVC_NO_SECRETS_HYDRATE: "0" } });
    expect(await manager.sync()).toMatchObject({ enabled: false, ok: null, vars: [] });
    const blank = manage({ env: { SVC_NO_SECRETS_HYDRATE: "" } });
    expect(await blank.manager.sync()).toMatchObject({ enabled: true, ok: true });
    expect(infisical.requests).toHaveLength(2);
  });

  test("once for all who ask while it runs (invariant 3)", async () => {
    const { manager } = manage();
    const [one, two] = await Promise.all([manager.sync(), manager.sync()]);
    expect(one).toEqual(two);
    expect(infisical.requests).toHaveLength(2);
  });

  test("again with new settings, after the one that runs (invariant 3)", async () => {
    let now = settings();
    const { manager } = manage({ settings: () => now });
    const first = manager.sync();
    now = settings({ path: "/apps/agent" });
    const second = await manager.sync();
    await first;
    expect(second.vars).toEqual(["DEEP", "SHARED"]);
    expect(manager.status().vars).toEqual(["DEEP", "SHARED"]);
  });

  test("takes its values back when it is switched off", async () => {
    let now = settings();
    const { manager, changes } = manage({ settings: () => now });
    await manager.sync();
    now = settings({ enabled: false });
    expect(await manager.sync()).toMatchObject({ enabled: false, ok: null, vars: [], fetched_at: null });
    expect([manager.environment(), manager.values(), changes.length]).toEqual([{}, [], 2]);
  });
});

describe("refreshing", () => {
  test("comes every refresh_seconds, and reports changes only", async () => {
    const { manager, turn, changes, logged } = manage();
    manager.start();
    await manager.sync();
    expect(changes).toHaveLength(1);
    turn(300_000);
    await manager.sync();
    expect([infisical.requests.length, changes.length]).toEqual([4, 1]);
    infisical.hold([{ name: "MODEL_API_KEY", value: "rotated" }]);
    turn(300_000);
    await manager.sync();
    expect([manager.environment().MODEL_API_KEY, changes.length, logged]).toEqual(["rotated", 2, []]);
    manager.stop();
    turn(300_000);
    expect(infisical.requests).toHaveLength(6);
  });

  test("never comes with 0", async () => {
    const { manager, waiting } = manage({ settings: () => settings({ refresh_seconds: 0 }) });
    manager.start();
    await manager.sync();
    expect(waiting.size).toBe(0);
  });

  test("that fails keeps the values there are, and is logged once (invariant 2)", async () => {
    const { manager, logged, changes } = manage();
    await manager.sync();
    infisical.answerWith({ status: 503 });
    expect(await manager.sync()).toMatchObject({ ok: false, error_kind: "bad_response", applied: 3 });
    await manager.sync();
    expect(manager.environment().MODEL_API_KEY).toBe("from-the-manager");
    infisical.answerWith(undefined);
    expect(await manager.sync()).toMatchObject({ ok: true, error: null });
    expect(logged).toEqual([
      "secrets manager: the manager answered 503; the values fetched before stay",
      "secrets manager: it can be read again",
    ]);
    expect(changes).toHaveLength(1);
  });
});

describe("a failure", () => {
  test.each([
    [{ status: 401, body: IDENTITY.client_secret }, "auth_failed"],
    [{ status: 403 }, "auth_failed"],
    [{ status: 404 }, "bad_response"],
    [{ status: 429 }, "bad_response"],
    [{ status: 500, body: IDENTITY.client_secret }, "bad_response"],
    [{ status: 302, location: "http://127.0.0.1:9/" }, "bad_response"],
    [{ status: 200, body: "<html>" }, "bad_response"],
    [{ status: 200, body: `{"accessToken": 7, "x": "${IDENTITY.client_secret}"}` }, "bad_response"],
    [{ status: 200, body: " ".repeat(8 * 1024 * 1024 + 1) }, "bad_response"],
    ["drop", "network"],
    ["stall", "timeout"],
  ] as const)("is reported by its kind and without a secret: %j", async (answer, kind) => {
    infisical.answerWith(answer);
    const { manager, logged } = manage({ timeoutMs: answer === "stall" ? 1_000 : 60_000 });
    const status = await manager.sync();
    expect(status).toMatchObject({ ok: false, error_kind: kind, vars: [] });
    expect(logged).toEqual([`secrets manager: ${status.error}`]);
    expect(JSON.stringify(status) + logged.join()).not.toContain(IDENTITY.client_secret);
    expect(infisical.requests).toHaveLength(1);
  });

  test("names what is missing before anything is sent", async () => {
    const { manager } = manage({ settings: () => settings({ project_id: "", client_secret: "" }) });
    expect(await manager.sync()).toMatchObject({
      ok: false,
      error_kind: "not_configured",
      error: "secrets_manager is not complete: project_id, client_secret (or SECRETS_MANAGER_CLIENT_SECRET)",
    });
    expect(infisical.requests).toEqual([]);
  });
});

describe("a test of other settings", () => {
  test("counts and names, and applies nothing", async () => {
    const { manager } = manage();
    const result = await manager.test({ path: "/apps", client_secret: "" });
    expect(result).toEqual({
      ok: true,
      error: null,
      error_kind: null,
      count: 3,
      names: ["DEEP", "MODEL_API_KEY", "SHARED"],
    });
    expect(manager.status()).toMatchObject({ ok: null, vars: [] });
    expect(await manager.test({ client_secret: "wrong" })).toMatchObject({
      ok: false,
      error_kind: "auth_failed",
      count: 0,
    });
    const wrong = await manager.test({ host: `${IDENTITY.client_secret}` });
    expect(wrong).toMatchObject({ ok: false, error_kind: "not_configured", error: "a wrong value: host" });
    infisical.answerWith("stall");
    expect(await manager.test({ timeout_seconds: 0.05 })).toMatchObject({ ok: false, error_kind: "timeout" });
  });

  test("sends the stored identity to the stored address only (invariant 4)", async () => {
    await using other = await localInfisical({ clientId: "a", clientSecret: "b", projectId: "project", secrets: [] });
    const { manager } = manage();
    for (const overrides of [{}, { client_id: "a" }, { client_secret: "b" }])
      expect(await manager.test({ host: other.host, ...overrides })).toMatchObject({
        ok: false,
        error_kind: "not_configured",
      });
    expect(other.requests).toEqual([]);
    expect(await manager.test({ host: other.host, client_id: "a", client_secret: "b" })).toMatchObject({ ok: true });
  });
});

describe("the machine identity", () => {
  test("comes from the overlay, then the live file, then its variables", () => {
    const folder = mkdtempSync(join(tmpdir(), "secrets-manager-"));
    const load = (env: { [name: string]: string }) => {
      const config = loadConfig({ home: folder, configDir: folder, env, sections: [secretsManagerSection] });
      return config.ok ? [config.values.secrets_manager.client_id, config.values.secrets_manager.client_secret] : [];
    };
    const env = { SECRETS_MANAGER_CLIENT_ID: "env-id", SECRETS_MANAGER_CLIENT_SECRET: "env-secret" };
    expect(load(env)).toEqual(["env-id", "env-secret"]);
    writeFileSync(join(folder, "agent-config.yaml"), "secrets_manager: {client_id: file-id}");
    expect(load(env)).toEqual(["file-id", "env-secret"]);
    writeFileSync(join(folder, "secrets.yaml"), "secrets_manager: {client_id: own-id, client_secret: own}", {
      mode: 0o600,
    });
    expect(load(env)).toEqual(["own-id", "own"]);
    rmSync(folder, { recursive: true });
  });

  test("and SVC_ variables are never the manager's to set; names no environment holds are left out", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.string()),
        fc.array(
          fc.tuple(
            fc.oneof(
              fc.string(),
              fc.constantFrom(
                "SVC_INSTANCE",
                "SVC_HOME",
                "svc_model",
                "SECRETS_MANAGER_CLIENT_ID",
                "__proto__",
                "A",
                "B",
              ),
            ),
            fc.string(),
          ),
        ),
        fc.boolean(),
        (own, fetched, overrideEnv) => {
          const before = { ...own };
          const { variables, applied, shadowed } = hydrate(own, new Map(fetched), { overrideEnv });
          expect(own).toEqual(before);
          for (const name of applied) {
            expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
            expect(name).not.toMatch(/^(SVC_|SECRETS_MANAGER_)/i);
            expect(variables[name]).toBe(new Map(fetched).get(name));
          }
          for (const name of Object.keys(own)) if (!applied.includes(name)) expect(variables[name]).toBe(own[name]);
          for (const name of shadowed) expect([overrideEnv, variables[name]]).toEqual([false, own[name]]);
          expect(new Set(Object.keys(variables))).toEqual(new Set([...Object.keys(own), ...applied]));
        },
      ),
    );
  });
});

test("values are in memory only, and addresses are not secret (invariant 1)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-manager-"));
  const before = process.cwd();
  process.chdir(folder);
  infisical.hold([
    { name: "A", value: "one-secret" },
    { name: "B", value: "https://api.test/v1" },
    { name: "C", value: "https://u:p@api.test" },
  ]);
  const { manager } = manage();
  const status = await manager.sync();
  process.chdir(before);
  expect(readdirSync(folder)).toEqual([]);
  expect(manager.values().toSorted()).toEqual(["https://u:p@api.test", "last", "no", "one-secret"]);
  expect(JSON.stringify(status)).not.toContain("one-secret");
  rmSync(folder, { recursive: true });
});
