import type { Claim, IdempotencyKey, IdempotencyStore, StoredResponse } from "@agent-service/agent-core/host";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, mountRoute, type RouteDefinition, serve } from "../route/index.ts";
import { createIdempotency } from "./index.ts";

const addThing = defineRoute({
  name: "things.add",
  method: "POST",
  path: "/api/things",
  tag: "Things",
  summary: "Adds a thing",
  body: v.object({ name: v.string() }),
  reply: json(v.object({ place: v.number() }), 201),
  failures: { 404: "No place.", 503: "Busy." },
});

/** A store of answers that lasts as long as the test; the real one is tested with its database. */
function rememberedAnswers(): IdempotencyStore & { readonly broken: { now: boolean } } {
  const rows = new Map<string, { digest: string; ended?: { status: number; answer?: StoredResponse } }>();
  const nameOf = ({ class: caller, key }: IdempotencyKey): string => `${caller} ${key}`;
  const broken = { now: false };
  return {
    broken,
    async claim(key): Promise<Claim> {
      const row = rows.get(nameOf(key));
      if (row === undefined) {
        rows.set(nameOf(key), { digest: key.digest });
        return { kind: "taken", since: 1_700_000_000_000, begun: false };
      }
      if (row.digest !== key.digest) return { kind: "other" };
      if (row.ended === undefined) return { kind: "taken", since: 1_700_000_000_000, begun: true };
      const { status, answer } = row.ended;
      return answer === undefined ? { kind: "not_stored", status } : { kind: "answered", answer };
    },
    async keep(key, status, answer) {
      if (broken.now) throw new Error("the disk is full");
      rows.set(nameOf(key), { digest: key.digest, ended: { status, ...(answer && { answer }) } });
    },
    async release(key) {
      rows.delete(nameOf(key));
    },
  };
}

function things(definition: RouteDefinition & typeof addThing = addThing) {
  const store = rememberedAnswers();
  const warnings: string[] = [];
  const added: string[] = [];
  const gates: (() => void)[] = [];
  const state = { held: false };
  const names: unknown[] = [];
  const route = serve(definition, async ({ body: { name }, requestKey }) => {
    names.push(requestKey);
    if (state.held) await new Promise<void>((resolve) => void gates.push(resolve));
    if (name === "busy") throw new Problem(503, "Busy.", { retryAfter: 1 });
    if (name === "nowhere") throw new Problem(404, "No place.");
    if (name === "bug") throw new TypeError("a fault");
    return { place: added.push(name) };
  });
  const row = mountRoute(route, {
    readJson: (text) => ({ ok: true, value: JSON.parse(text) as unknown }),
    redact: (text) => text,
    idempotency: createIdempotency({ store, warn: (message) => void warnings.push(message) }),
  });
  const post = async (name: unknown, key?: string, path = "/api/things") => {
    const request = new Request(`http://h${path}`, {
      method: "POST",
      body: JSON.stringify({ name }),
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
    });
    const response = await row.handle({ request, caller: "operator", param: () => undefined });
    const replayed = response.headers.get("idempotency-replayed") === "true";
    return { status: response.status, replayed, body: (await response.json()) as unknown };
  };
  return { post, added, store, warnings, gates, state, names };
}

describe("a POST with an idempotency key (A15)", () => {
  it("is carried out once; its answer is repeated, refusals too", async () => {
    const { post, added } = things();
    expect(await post("a", "k")).toEqual({ status: 201, replayed: false, body: { place: 1 } });
    expect(await post("a", "k")).toEqual({ status: 201, replayed: true, body: { place: 1 } });
    expect(await post("nowhere", "n")).toMatchObject({ status: 404, replayed: false });
    expect(await post("nowhere", "n")).toMatchObject({ status: 404, replayed: true, body: { detail: "No place." } });
    expect(await post("a")).toMatchObject({ body: { place: 2 } });
    expect(added).toEqual(["a", "a"]);
  });

  it("is refused when the key was used for another request: another body, another query", async () => {
    const { post, added } = things();
    await post("a", "k");
    const refused = { status: 422, body: { detail: [{ loc: ["header", "Idempotency-Key"] }] } };
    expect(await post("b", "k")).toMatchObject(refused);
    expect(await post("a", "k", "/api/things?x=1")).toMatchObject(refused);
    expect(await post("a", "")).toMatchObject(refused);
    expect(await post("a", "k".repeat(256))).toMatchObject(refused);
    expect(added).toEqual(["a"]);
  });

  it("waits for the first when it comes while that one runs, and is refused at once when it is another", async () => {
    const { post, added, gates, state } = things();
    state.held = true;
    const both = [post("a", "k"), post("a", "k")];
    while (gates.length === 0) await new Promise(setImmediate);
    expect(await post("b", "k")).toMatchObject({ status: 422 });
    for (const open of gates) open();
    expect((await Promise.all(both)).map(({ status, replayed }) => [status, replayed])).toEqual([
      [201, false],
      [201, true],
    ]);
    expect(added).toEqual(["a"]);
  });

  it("does not use its key up when it does not fit or is refused for now", async () => {
    const { post, added } = things();
    expect(await post(5, "k")).toMatchObject({ status: 422 });
    expect(await post("busy", "k")).toMatchObject({ status: 503 });
    expect(await post("a", "k")).toMatchObject({ status: 201, replayed: false });
    expect(added).toEqual(["a"]);
  });

  it("is carried out again under the same name where it was begun and its answer is not known", async () => {
    const { post, store, warnings, names } = things();
    await expect(post("bug", "k")).rejects.toThrow("a fault");
    await expect(post("bug", "k")).rejects.toThrow("a fault");
    const first = { key: expect.stringMatching(/^[0-9a-f]{12}7[0-9a-f]{3}a[0-9a-f]{15}$/), begun: false };
    expect(names).toMatchObject([first, { ...(names[0] as object), begun: true }]);
    store.broken.now = true;
    expect(await post("a", "full")).toMatchObject({ status: 201, replayed: false });
    expect(warnings).toEqual([expect.stringContaining("the disk is full")]);
    store.broken.now = false;
    expect(await post("b", "full")).toMatchObject({ status: 422 });
    expect(await post("a", "full")).toMatchObject({ status: 201, replayed: false });
    expect(await post("a", "full")).toMatchObject({ status: 201, replayed: true });
    expect(names.slice(2)).toMatchObject([{ begun: false }, { ...(names[2] as object), begun: true }]);
    expect((names[2] as { key: string }).key).not.toBe((names[0] as { key: string }).key);
  });

  it("has no name without a key", async () => {
    const { post, names } = things();
    await post("a");
    expect(names).toEqual([undefined]);
  });

  it("reports the status where its answer must not be stored", async () => {
    const { post } = things({ ...addThing, idempotency: "status-only" });
    expect(await post("a", "k")).toMatchObject({ status: 201 });
    expect(await post("a", "k")).toMatchObject({ status: 409, body: { detail: expect.stringContaining("201") } });
  });
});
