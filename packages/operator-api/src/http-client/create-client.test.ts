import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, empty, json, media, mountRoute, serve } from "../route/index.ts";
import { createClient, OperatorApiError } from "./index.ts";

const base = { tag: "Things", summary: "s" } as const;
const listThings = defineRoute({
  ...base,
  name: "things.list",
  method: "GET",
  path: "/api/things",
  query: pageQuery(v.string()),
  reply: json(v.object({ things: v.array(v.string()), ...pageFields })),
});
const editThing = defineRoute({
  ...base,
  name: "things.edit",
  method: "PUT",
  path: "/api/things/{kind}/{id}",
  body: v.object({ size: v.number() }),
  reply: json(v.object({ kind: v.string(), id: v.string(), size: v.number() })),
  failures: { 409: "Busy." },
});
const syncThings = defineRoute({
  ...base,
  name: "things.sync",
  method: "POST",
  path: "/api/things/sync",
  body: v.object({ deep: v.optional(v.boolean(), false) }),
  bodyOptional: true,
  reply: json(v.object({ key: v.nullable(v.string()), deep: v.boolean() })),
  emptyWhen: "There was nothing to do.",
});
const dropThings = defineRoute({ ...base, name: "things.drop", method: "DELETE", path: "/api/things", reply: empty() });
const exportThings = defineRoute({
  ...base,
  name: "things.export",
  method: "GET",
  path: "/api/things/export",
  reply: media("text/csv"),
});
type Things = typeof listThings | typeof editThing | typeof syncThings | typeof dropThings | typeof exportThings;

const asked: { readonly url: string; readonly authorization: string | null }[] = [];
const rows = [
  serve(listThings, ({ query }) => ({ things: Array.from({ length: query.limit }, () => "t"), next_cursor: null })),
  serve(editThing, ({ params, body }) => {
    if (params.id === "busy") throw new Problem(409, "Busy.", { retryAfter: 7 });
    return { ...params, size: body.size };
  }),
  serve(syncThings, ({ headers, body }) => ({ key: headers.get("idempotency-key"), deep: body.deep })),
  serve(dropThings, () => undefined),
  serve(exportThings, () => ({ body: "a,b\n" })),
].map((route) =>
  mountRoute(route, { readJson: (text) => ({ ok: true, value: JSON.parse(text) as unknown }), redact: (text) => text }),
);

/** The routes without a network between. */
async function reach(url: string, init: RequestInit): Promise<Response> {
  const request = new Request(url, init);
  asked.push({ url, authorization: request.headers.get("authorization") });
  const { pathname } = new URL(url);
  for (const row of rows) {
    const pattern = new RegExp(`^${row.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    const match = pattern.exec(pathname);
    if (match === null || row.method !== request.method) continue;
    const param = (name: string): string => decodeURIComponent(match.groups?.[name] ?? "");
    return row.handle({ request, caller: "operator", param });
  }
  return new Response("<h1>Bad gateway</h1>", { status: 502 });
}

let token: string | undefined = "tok-1";
const client = createClient<Things>({ baseUrl: "http://h/", token: () => token, fetch: reach });

describe("the client", () => {
  it("sends what a definition requires and returns what it promises", async () => {
    const page = await client.get("/api/things", { query: { limit: 2 } });
    expectTypeOf(page).toEqualTypeOf<{ things: string[]; next_cursor: string | null }>();
    expect(page).toEqual({ things: ["t", "t"], next_cursor: null });
    const edited = await client.put("/api/things/{kind}/{id}", {
      params: { kind: "a/b", id: "ü?" },
      body: { size: 2 },
    });
    expect(edited).toEqual({ kind: "a/b", id: "ü?", size: 2 });
    expect(await client.post("/api/things/sync", { idempotencyKey: "k-1" })).toEqual({ key: "k-1", deep: false });
    expect(await client.delete("/api/things")).toBeUndefined();
    const csv = await client.get("/api/things/export");
    expectTypeOf(csv).toEqualTypeOf<Response>();
    expect(await csv.text()).toBe("a,b\n");
  });

  it("checks at compile time what a route lacks, needs and answers", () => {
    // @ts-expect-error: no such path
    void (() => client.get("/api/nothing"));
    // @ts-expect-error: another method's path
    void (() => client.post("/api/things"));
    // @ts-expect-error: the path's names and the body are required
    void (() => client.put("/api/things/{kind}/{id}"));
    // @ts-expect-error: a body of another shape
    void (() => client.put("/api/things/{kind}/{id}", { params: { kind: "k", id: "i" }, body: { size: "2" } }));
    const sync = () => client.post("/api/things/sync");
    expectTypeOf<Awaited<ReturnType<typeof sync>>>().toEqualTypeOf<{ key: string | null; deep: boolean } | undefined>();
  });

  it("asks for its token at each call", async () => {
    await client.get("/api/things");
    token = undefined;
    await client.get("/api/things");
    expect(asked.slice(-2).map(({ authorization }) => authorization)).toEqual(["Bearer tok-1", null]);
  });

  it("rejects with what there is to show, the detail, and when to try again", async () => {
    const busy = client.put("/api/things/{kind}/{id}", { params: { kind: "k", id: "busy" }, body: { size: 1 } });
    await expect(busy).rejects.toBeInstanceOf(OperatorApiError);
    await expect(busy).rejects.toMatchObject({ status: 409, message: "Busy.", detail: "Busy.", retryAfter: 7 });
    const wrong = client.get("/api/things", { query: { limit: "many" } });
    await expect(wrong).rejects.toMatchObject({ status: 422, message: "Expected a whole number." });
  });

  it("makes do with answers that are no error bodies", async () => {
    const lost = createClient<Things>({ fetch: () => Promise.resolve(new Response("<h1>", { status: 502 })) });
    await expect(lost.get("/api/things")).rejects.toMatchObject({
      message: "The server answered 502.",
      detail: undefined,
    });
    const broken = createClient<Things>({
      fetch: async () => Response.json({ detail: "Internal error.", error_id: "ab12" }, { status: 500 }),
    });
    await expect(broken.get("/api/things")).rejects.toMatchObject({ errorId: "ab12" });
  });
});
