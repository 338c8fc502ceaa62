import { describe, expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import {
  type ConfigurationReader,
  type ConfigurationWriter,
  configurationRoutes,
  type ExplainedValue,
  setupRoutes,
} from "./routes.ts";

const saved = { ok: true, messages: [], restart_required: [], revision: "r-2" } as const;
const explained = (key: string): ExplainedValue => {
  const from = { layer: "agent", source: "agent-config.yaml:3" } as const;
  return { key, value: 1, secret: false, is_set: true, ...from };
};

function configuration() {
  const saves: unknown[] = [];
  const service: ConfigurationReader & ConfigurationWriter = {
    read: () => ({
      config: { model: { temperature: 0.2, api_key: "" } },
      soul: "",
      revision: "r-1",
      managed: false,
      env_owned: { "model.name": "SVC_MODEL" },
      restart_required: [],
      rejected: null,
    }),
    async save(change) {
      if (change.revision === "r-0") throw new Problem(409, "The configuration changed meanwhile.");
      saves.push(change);
      return saved;
    },
    explain: () => ["identity.name", "model.name", "model.temperature", "modelling.x"].map(explained),
    preset: (name) => (name === "default" ? "You are careful." : undefined),
    setupStatus: () => ({ setup_complete: false, managed: false, presets: ["default"] }),
    async completeSetup(setup) {
      saves.push(setup);
      return { ok: true, message: "Set up." };
    },
    resetSetup: () => Promise.reject(new Problem(409, "It is managed.")),
  };
  return { ask: askRoutes([...configurationRoutes(service), ...setupRoutes(service)]), saves };
}

describe("the configuration over the operator API", () => {
  it("is read, and saved on the revision it was read at", async () => {
    const { ask, saves } = configuration();
    expect(await ask("GET", "/api/config")).toMatchObject({ status: 200, body: { revision: "r-1" } });
    const change = { config: { model: { temperature: 0.4 } }, revision: "r-1" };
    expect(await ask("POST", "/api/config", change)).toMatchObject({ status: 200, body: saved });
    expect(saves).toEqual([change]);
    expect(await ask("POST", "/api/config", { ...change, revision: "r-0" })).toMatchObject({ status: 409 });
    expect(await ask("POST", "/api/config", { config: "s3cret" })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "config"] }] },
    });
  });

  it("is explained by key or by section, in pages", async () => {
    const { ask } = configuration();
    const keysOf = ({ body }: { body: unknown }) => (body as { values: ExplainedValue[] }).values.map(({ key }) => key);
    expect(keysOf(await ask("GET", "/api/config/explain?key=model"))).toEqual(["model.name", "model.temperature"]);
    expect(keysOf(await ask("GET", "/api/config/explain?key=model.name"))).toEqual(["model.name"]);
    expect(await ask("GET", "/api/config/explain?key=nothing")).toMatchObject({ status: 404 });
    const first = await ask("GET", "/api/config/explain?limit=3");
    const { next_cursor: next } = first.body as { next_cursor: string };
    const second = await ask("GET", `/api/config/explain?limit=3&cursor=${next}`);
    expect([...keysOf(first), ...keysOf(second)]).toHaveLength(4);
    expect(second.body).toMatchObject({ next_cursor: null });
  });

  it("offers the personas that ship", async () => {
    const { ask } = configuration();
    expect(await ask("GET", "/api/config/presets/default")).toMatchObject({ body: { content: "You are careful." } });
    expect(await ask("GET", "/api/config/presets/other")).toMatchObject({ status: 404 });
  });

  it("is set up with or without a body", async () => {
    const { ask, saves } = configuration();
    expect(await ask("GET", "/api/config/setup-status")).toMatchObject({ body: { setup_complete: false } });
    expect(await ask("POST", "/api/config/setup")).toMatchObject({ status: 200 });
    expect(saves).toEqual([{ config: {} }]);
    expect(await ask("POST", "/api/config/reset-setup")).toMatchObject({ status: 409 });
  });
});
