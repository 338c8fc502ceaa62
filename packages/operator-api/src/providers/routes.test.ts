import { describe, expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type Provider, type ProvidersService, providersRoutes } from "./routes.ts";

const saved = { ok: true, messages: [], restart_required: [], revision: "r-2" } as const;

function providers() {
  const rows: Provider[] = [];
  const service: ProvidersService = {
    list: () => ({ providers: rows, revision: "r-1" }),
    async add({ id, type, api_key: key = "", base_url: address = "" }) {
      if (rows.some((row) => row.id === id)) throw new Problem(409, `There is a connection ${id} already.`);
      const row = { id, type, label: id, base_url: address, key_set: key !== "", models: {}, lead: false, sources: {} };
      rows.push(row);
      return { ...saved, provider: row };
    },
    async edit(id, { label }) {
      const row = rows.find((one) => one.id === id);
      if (row === undefined) throw new Problem(404, `There is no connection ${id}.`);
      return { ...saved, provider: { ...row, label: label ?? row.label } };
    },
    async remove(id) {
      if (!rows.some((row) => row.id === id)) throw new Problem(404, `There is no connection ${id}.`);
      return saved;
    },
  };
  return askRoutes(providersRoutes(service));
}

describe("connections over the operator API", () => {
  it("are added, listed, changed and removed; a key is never returned", async () => {
    const ask = providers();
    const gateway = { id: "gw", type: "compat-gateway", base_url: "http://gateway.test", api_key: "sk-s3cret" };
    const added = await ask("POST", "/api/providers", gateway);
    expect(added).toMatchObject({ status: 201, body: { provider: { id: "gw", key_set: true } } });
    expect(JSON.stringify(added.body)).not.toContain("s3cret");
    expect(await ask("POST", "/api/providers", gateway)).toMatchObject({ status: 409 });
    expect(await ask("GET", "/api/providers")).toMatchObject({ body: { providers: [{ id: "gw" }] } });
    await ask("POST", "/api/providers", { id: "two", type: "scripted" });
    const page = await ask("GET", "/api/providers?limit=1");
    expect(page).toMatchObject({ body: { providers: [{ id: "gw" }], next_cursor: expect.any(String) } });
    const { next_cursor: cursor } = page.body as { next_cursor: string };
    expect(await ask("GET", `/api/providers?limit=1&cursor=${cursor}`)).toMatchObject({
      body: { providers: [{ id: "two" }], next_cursor: null },
    });
    expect(await ask("PUT", "/api/providers/gw", { label: "G" })).toMatchObject({ body: { provider: { label: "G" } } });
    expect(await ask("DELETE", "/api/providers/gw")).toMatchObject({ status: 200, body: saved });
    expect(await ask("DELETE", "/api/providers/other")).toMatchObject({ status: 404 });
  });

  it("have a known type and an id that fits before a model's name", async () => {
    const ask = providers();
    for (const body of [{ id: "a:b", type: "scripted" }, { id: "gw", type: "s3cret" }, { id: "gw" }]) {
      const answer = await ask("POST", "/api/providers", body);
      expect(answer.status).toBe(422);
      expect(JSON.stringify(answer.body)).not.toContain("s3cret");
    }
  });
});
