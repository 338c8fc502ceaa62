import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import {
  defineRoute,
  empty,
  type Idempotency,
  inMatchingOrder,
  json,
  media,
  mountRoute,
  namesOf,
  type RoutePorts,
  type ServedRoute,
  serve,
} from "./index.ts";

const renameThing = defineRoute({
  name: "things.rename",
  method: "POST",
  path: "/api/things/{id}/rename",
  tag: "Things",
  summary: "Renames a thing",
  params: { id: "Of the thing." },
  query: v.object({ dry: v.optional(v.picklist(["yes", "no"]), "no") }),
  body: v.object({ name: v.pipe(v.string(), v.maxLength(20)), tags: v.optional(v.array(v.string()), []) }),
  reply: json(v.object({ id: v.string(), name: v.string(), dry: v.string(), tags: v.array(v.string()) }), 201),
  failures: { 404: "No such thing." },
});

const served = serve(renameThing, ({ params, query, body }) => {
  if (params.id === "gone") throw new Problem(404, "No such thing as tok-1.", { retryAfter: 1.2 });
  if (params.id === "bug") throw new TypeError("the handler is wrong");
  return { id: params.id, name: body.name, dry: query.dry, tags: body.tags };
});

const ports: RoutePorts = {
  readJson(text) {
    try {
      return { ok: true, value: JSON.parse(text) as unknown };
    } catch {
      return { ok: false, message: "The body is not valid JSON." };
    }
  },
  redact: (text) => text.replaceAll("tok-1", "[redacted]"),
};

interface Asked {
  readonly route?: ServedRoute;
  readonly id?: string;
  readonly query?: string;
  readonly text?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly method?: string;
}

async function ask(
  { route = served, id = "t-1", query = "", text, headers, method = "POST" }: Asked,
  with_: Partial<RoutePorts> = {},
) {
  const request = new Request(`http://h/api/things/${id}/rename${query}`, {
    method,
    ...(text === undefined ? {} : { body: text }),
    headers: { ...(text === undefined ? {} : { "content-type": "application/json" }), ...headers },
  });
  const row = mountRoute(route, { ...ports, ...with_ });
  const response = await row.handle({ request, caller: "operator", param: (name) => (name === "id" ? id : undefined) });
  const body = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: body === "" ? undefined : (JSON.parse(body) as unknown),
  };
}

describe("a request that fits", () => {
  it("reaches the handler as its schemas make it", async () => {
    const { status, body, headers } = await ask({ text: '{"name":"n","other":1}', query: "?dry=yes&x=1" });
    expect([status, body]).toEqual([201, { id: "t-1", name: "n", dry: "yes", tags: [] }]);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("may leave out a body that is optional", async () => {
    const route = defineRoute({
      name: "things.sync",
      method: "POST",
      path: "/api/things/{id}/sync",
      tag: "Things",
      summary: "Syncs",
      body: v.object({ force: v.optional(v.boolean(), false) }),
      bodyOptional: true,
      reply: json(v.object({ force: v.boolean() })),
    });
    expect(await ask({ route: serve(route, ({ body }) => body) })).toMatchObject({
      status: 200,
      body: { force: false },
    });
  });

  it("is answered 204 without a body, and with the media type that was declared", async () => {
    const base = { method: "GET", path: "/api/things/{id}", tag: "Things", summary: "s" } as const;
    const none = serve(defineRoute({ ...base, name: "a", reply: empty() }), () => undefined);
    expect(await ask({ route: none, method: "GET" })).toMatchObject({ status: 204, body: undefined });
    const csv = defineRoute({ ...base, name: "b", reply: media("text/csv"), emptyWhen: "Nothing." });
    const row = mountRoute(
      serve(csv, () => ({ body: "a,b\n", headers: { "content-disposition": "attachment" } })),
      ports,
    );
    const response = await row.handle({ request: new Request("http://h/"), caller: "operator", param: () => "x" });
    expect([response.headers.get("content-type"), await response.text()]).toEqual(["text/csv", "a,b\n"]);
  });
});

describe("a request that does not fit", () => {
  it.each([
    ["no body", {}, 422, [{ loc: ["body"], type: "missing" }]],
    ["a body that is no JSON", { text: "name=s3cret", headers: { "content-type": "text/plain" } }, 415, undefined],
    ["a body that does not parse", { text: '{"name": s3cret' }, 400, undefined],
    ["a missing field", { text: "{}" }, 422, [{ loc: ["body", "name"], type: "missing" }]],
    ["a field of another type", { text: '{"name":{"s3cret":1}}' }, 422, [{ loc: ["body", "name"], type: "string" }]],
    ["a field out of bounds", { text: `{"name":"${"s3cret".repeat(5)}"}` }, 422, [{ loc: ["body", "name"] }]],
    ["an entry of a list", { text: '{"name":"n","tags":["a",5]}' }, 422, [{ loc: ["body", "tags", 1] }]],
    ["a query value", { text: '{"name":"n"}', query: "?dry=s3cret" }, 422, [{ loc: ["query", "dry"] }]],
    ["a query value sent twice", { text: '{"name":"n"}', query: "?dry=yes&dry=no" }, 422, [{ loc: ["query", "dry"] }]],
    ["a control character in the path", { text: '{"name":"n"}', id: "a\u0000" }, 422, [{ loc: ["path", "id"] }]],
    ["a control character in the query", { text: '{"name":"n"}', query: "?x=%00" }, 422, [{ loc: ["query", "x"] }]],
    ["a part of the path", { text: '{"name":"n"}', id: "s3cret".repeat(100) }, 422, [{ loc: ["path", "id"] }]],
  ])("is refused for %s, and nothing it holds is repeated", async (_, asked: Asked, status, detail) => {
    const answer = await ask(asked);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ detail: detail ?? expect.any(String) });
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
  });

  it("is never repeated, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{12}$/), { minLength: 2, maxLength: 2 }),
        async ([a, b]) => {
          const text = JSON.stringify({ name: [a, { deep: b }], tags: b });
          const { status, body } = await ask({ text, query: `?dry=${a}` });
          expect(status).toBe(422);
          expect(JSON.stringify(body)).not.toContain(a);
          expect(JSON.stringify(body)).not.toContain(b);
        },
      ),
    );
  });

  it("gets at most twenty errors", async () => {
    const { body } = await ask({ text: JSON.stringify({ name: "n", tags: Array.from({ length: 500 }, () => 1) }) });
    expect((body as { detail: unknown[] }).detail).toHaveLength(20);
  });
});

describe("a refusal of the handler", () => {
  it("carries its status, a text without secrets and when to try again", async () => {
    const { status, body, headers } = await ask({ text: '{"name":"n"}', id: "gone" });
    expect([status, body, headers.get("retry-after")]).toEqual([404, { detail: "No such thing as [redacted]." }, "2"]);
  });

  it("is what the server maps an error of a service to", async () => {
    const refusalOf = (error: unknown) =>
      error instanceof TypeError ? new Problem(503, "The store is full.") : undefined;
    expect(await ask({ text: '{"name":"n"}', id: "bug" }, { refusalOf })).toMatchObject({
      status: 503,
      body: { detail: "The store is full." },
    });
  });

  it("is no refusal when the handler breaks: the server answers for that", async () => {
    await expect(ask({ text: '{"name":"n"}', id: "bug" })).rejects.toThrow("the handler is wrong");
  });
});

describe("an answer", () => {
  const wrong = async (value: unknown, failure?: Problem): Promise<string[]> => {
    const misfits: string[] = [];
    const route: ServedRoute = {
      definition: renameThing,
      handle: () => {
        if (failure) throw failure;
        return value;
      },
    };
    await ask({ route, text: '{"name":"n"}' }, { onMisfit: (misfit) => void misfits.push(misfit) });
    return misfits;
  };
  const right = { id: "1", name: "n", dry: "no", tags: [] };

  it("that fits its definition passes", async () => {
    expect(await wrong(right)).toEqual([]);
    expect(await wrong(undefined, new Problem(404, "No such thing."))).toEqual([]);
    expect(await wrong(undefined, new Problem(422, [{ loc: ["body"], msg: "m", type: "t" }]))).toEqual([]);
  });

  it("that does not fit is reported: fields missing or too many, statuses and shapes not declared", async () => {
    expect(await wrong({ ...right, tags: undefined })).toEqual([expect.stringContaining("things.rename: 201: tags")]);
    expect(await wrong({ ...right, extra: 1 })).toEqual([
      expect.stringContaining("fields that its schema does not name"),
    ]);
    expect(await wrong(undefined)).toEqual([expect.stringContaining("empty answer is not declared")]);
    expect(await wrong(undefined, new Problem(410, "Gone."))).toEqual([expect.stringContaining("not declared")]);
    expect(await wrong(undefined, new Problem(404, { code: "x" }))).toEqual([expect.stringContaining("detail")]);
  });
});

describe("a definition", () => {
  it("that contradicts itself stops the program", () => {
    const base = { name: "x", tag: "t", summary: "s", reply: empty() } as const;
    expect(() => defineRoute({ ...base, method: "GET", path: "/api/x", body: v.object({}) })).toThrow(
      "GET has no body",
    );
    expect(() => defineRoute({ ...base, method: "GET", path: "/api/x", params: { id: "d" } })).toThrow("lacks");
  });

  it("returns the names of its path, and fixed segments match before names", () => {
    expect(namesOf("/api/a/{b}/c/{d_e}")).toEqual(["b", "d_e"]);
    const paths = ["/api/{a}/{b}", "/api/p/{id}", "/api/p/last", "/api/{a}/b"].map((path) => ({ path }));
    expect(inMatchingOrder(paths).map(({ path }) => path)).toEqual([
      "/api/p/last",
      "/api/p/{id}",
      "/api/{a}/b",
      "/api/{a}/{b}",
    ]);
  });
});

it("hands every POST to the keeper of answers, refusals as answers", async () => {
  const kept: unknown[] = [];
  const idempotency: Idempotency = async (definition, { text }, run) => {
    const answer = await run(undefined);
    kept.push([definition.name, text, answer.status]);
    return answer;
  };
  await ask({ text: '{"name":"n"}' }, { idempotency });
  await ask({ text: '{"name":"n"}', id: "gone" }, { idempotency });
  await ask({ text: "{}" }, { idempotency });
  expect(kept).toEqual([
    ["things.rename", '{"name":"n"}', 201],
    ["things.rename", '{"name":"n"}', 404],
  ]);
});

describe("a route that takes a file", () => {
  const route = serve(
    defineRoute({
      ...{ name: "f", method: "POST", path: "/api/things/{id}/rename", tag: "Things", summary: "s" },
      upload: { maxBytes: 8, alone: "application/x-ndjson" },
      body: v.object({ text: v.optional(v.string()) }),
      bodyOptional: true,
      reply: json(v.object({ bytes: v.nullable(v.number()) })),
    }),
    ({ upload }) => ({ bytes: upload?.bytes.length ?? null }),
  );
  it.each([
    ["{}\n{}\n", "application/x-ndjson", 200, { bytes: 6 }],
    ["{}", "Application/X-NDJSON; charset=utf-8", 200, { bytes: 2 }],
    ["", "application/x-ndjson", 200, { bytes: null }],
    ["123456789", "application/x-ndjson", 413, { detail: expect.any(String) }],
    ["{}", "text/plain", 415, { detail: expect.stringContaining("application/x-ndjson") }],
  ])("reads %j of type %s as the file alone: %i", async (text, type, status, body) => {
    expect(await ask({ route, text, headers: { "content-type": type } })).toMatchObject({ status, body });
  });
});

it("names a whole number where one is expected", async () => {
  const body = v.object({ name: v.pipe(v.number(), v.integer()) });
  const route = serve(defineRoute({ ...renameThing, body }), () => ({ id: "", name: "", dry: "", tags: [] }));
  const answer = await ask({ route, text: '{"name":1.5}' });
  expect(answer.body).toMatchObject({ detail: [{ loc: ["body", "name"], msg: "Expected a whole number." }] });
});
