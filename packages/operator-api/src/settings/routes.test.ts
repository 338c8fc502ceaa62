import { describe, expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type SettingsService, settingsRoutes } from "./routes.ts";

const saved = { ok: true, messages: [], restart_required: ["instance.id"], revision: "r-2" } as const;

function settings() {
  const changes: unknown[] = [];
  const keep = async (change: unknown) => {
    changes.push(change);
    return saved;
  };
  const field = {
    key: "model.temperature",
    label: "Temperature",
    type: "number",
    section: "model",
    description: "How free answers are.",
    restart: false,
    default: 0.2,
    value: 0.4,
    minimum: 0,
    maximum: 2,
    scope: "agent",
    source: "agent",
    read_only: false,
  } as const;
  const about = { title: "Default model", description: "The model that answers." };
  const groups = [{ section: "model", ...about, category: "Model", fields: [field] }];
  const categories = [{ name: "Model", title: "Models", description: "Which models answer." }];
  const service: SettingsService = {
    schema: () => ({ categories, groups, revision: "r-1" }),
    apply: keep,
    reset: keep,
  };
  return { ask: askRoutes(settingsRoutes(service)), changes };
}

describe("settings over the operator API", () => {
  it("come as forms and are saved by dotted key, for the agent by default", async () => {
    const { ask, changes } = settings();
    expect(await ask("GET", "/api/settings/schema")).toMatchObject({
      body: { groups: [{ fields: [{ value: 0.4 }] }] },
    });
    expect(await ask("POST", "/api/settings", { updates: { "model.temperature": 1 } })).toMatchObject({ body: saved });
    expect(await ask("POST", "/api/settings/reset", { keys: ["model.name"], layer: "host" })).toMatchObject({
      body: saved,
    });
    expect(changes).toEqual([
      { updates: { "model.temperature": 1 }, layer: "agent" },
      { keys: ["model.name"], layer: "host" },
    ]);
  });

  it("are refused for keys that are none and layers that are not there, without repeating values", async () => {
    const { ask, changes } = settings();
    for (const body of [{ updates: { model: "s3cret" } }, { updates: { "a.b": "s3cret" }, layer: "s3cret" }, {}]) {
      const answer = await ask("POST", "/api/settings", body);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).not.toContain("s3cret");
    }
    expect(await ask("POST", "/api/settings/reset", { keys: [] })).toMatchObject({ status: 422 });
    expect(changes).toEqual([]);
  });
});
