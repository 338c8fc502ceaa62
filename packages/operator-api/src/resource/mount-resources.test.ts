import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, json, type OperatorRoute, serve } from "../route/index.ts";
import { type AnyResource, defineResource, emptyList, mountResources, refused, type ServicesOf } from "./index.ts";

const listNotes = defineRoute({
  name: "notes.list",
  method: "GET",
  path: "/api/notes",
  tag: "Notes",
  summary: "Notes",
  query: pageQuery(v.number()),
  reply: json(v.object({ notes: v.array(v.string()), total: v.number(), tip: v.optional(v.string()), ...pageFields })),
});
const addNote = defineRoute({
  name: "notes.add",
  method: "POST",
  path: "/api/notes",
  tag: "Notes",
  summary: "Adds a note",
  body: v.object({ text: v.string() }),
  reply: json(v.object({ ok: v.boolean() })),
});
const readClock = defineRoute({
  name: "clock.read",
  method: "GET",
  path: "/api/clock",
  tag: "Clock",
  summary: "The time",
  reply: json(v.object({ now: v.number() })),
});
const countRoutes = defineRoute({
  name: "count.read",
  method: "GET",
  path: "/api/count",
  tag: "Reference",
  summary: "How much there is",
  reply: json(v.unknown()),
});

interface Notes {
  all(): readonly string[];
}
interface Now {
  now(): number;
}

const notes = defineResource({
  name: "notes",
  feature: "notebook",
  definitions: [listNotes, addNote],
  topics: [{ topic: "note.changed", when: "A note changed", data: "none" }],
  routes: (service: Notes) => [
    serve(listNotes, () => ({ notes: service.all(), total: service.all().length, next_cursor: cursorOf(undefined) })),
    serve(addNote, () => ({ ok: true })),
  ],
});
const clock = defineResource({
  name: "clock",
  definitions: [readClock],
  routes: (service: Now) => [serve(readClock, () => ({ now: service.now() }))],
});
const count = defineResource({
  name: "count",
  definitions: [countRoutes],
  reference: (api) => [
    serve(countRoutes, () => ({
      routes: api.definitions().length,
      topics: api.topics.map(({ topic }) => topic),
      features: api.features(),
    })),
  ],
});
const goals = defineResource({
  name: "goals",
  feature: "goals",
  unbuilt: {
    tag: "Goals",
    routes: [
      ["GET", "/api/goals", emptyList({ goals: [] })],
      ["POST", "/api/goals", refused],
    ],
  },
});
const resources = [notes, clock, count, goals] as const;
type Listed = (typeof resources)[number];

const ports = { version: "1", readJson: () => ({ ok: true, value: {} }) as const, redact: (text: string) => text };
const now: Now = { now: () => 7 };
const twoNotes: Notes = { all: () => ["a", "b"] };

async function ask(rows: readonly OperatorRoute[], method: string, path: string) {
  const row = rows.find((one) => one.method === method && one.path === path)!;
  const request = new Request(`http://h${path}`, {
    method,
    ...(method === "POST" && { body: "{}", headers: { "content-type": "application/json" } }),
  });
  const response = await row.handle({ request, caller: "operator", param: () => undefined });
  return { status: response.status, body: (await response.json()) as unknown };
}

describe("an API made of resources", () => {
  it("is typed by them: a service may be left out only with the feature that brings it", () => {
    expectTypeOf<ServicesOf<Listed>>().toExtend<{ readonly clock: Now; readonly notes?: Notes }>();
    expectTypeOf<{ clock: Now }>().toExtend<ServicesOf<Listed>>();
    expectTypeOf<{ notes: Notes }>().not.toExtend<ServicesOf<Listed>>();
    expectTypeOf<keyof ServicesOf<Listed>>().toEqualTypeOf<"clock" | "notes">();
  });

  it("serves each over its service, and shows what the whole holds", async () => {
    const rows = mountResources<Listed>({
      ...ports,
      resources,
      services: { notes: twoNotes, clock: now },
      features: () => ({ notebook: false }),
    });
    expect((await ask(rows, "GET", "/api/notes")).body).toEqual({ notes: ["a", "b"], total: 2, next_cursor: null });
    expect((await ask(rows, "GET", "/api/count")).body).toEqual({
      routes: 6,
      topics: ["note.changed"],
      features: { goals: { available: false, enabled: false }, notebook: { available: true, enabled: false } },
    });
  });

  it("answers as O4 requires for what the build lacks: lists are empty, everything else is 503 (RC1)", async () => {
    const rows = mountResources<Listed>({ ...ports, resources, services: { clock: now }, features: () => ({}) });
    const off = { enabled: false, next_cursor: null };
    expect(await ask(rows, "GET", "/api/notes")).toEqual({ status: 200, body: { ...off, notes: [], total: 0 } });
    expect(await ask(rows, "POST", "/api/notes")).toMatchObject({ status: 503 });
    expect(await ask(rows, "GET", "/api/goals")).toEqual({ status: 200, body: { ...off, goals: [] } });
    expect(await ask(rows, "POST", "/api/goals")).toMatchObject({ status: 503 });
    expect((await ask(rows, "GET", "/api/count")).body).toMatchObject({
      topics: [],
      features: { notebook: { available: false } },
    });
  });
});

describe("an API is refused at its start", () => {
  const mount =
    (list: readonly AnyResource[], services: object, features: object = {}) =>
    () =>
      mountResources<AnyResource>({ ...ports, resources: list, services, features: () => features } as never);
  const twice = { ...clock, name: "other" };

  it.each([
    [
      "the service of a feature that is there is missing",
      mount([notes], {}, { notebook: true }),
      "resource.no_service",
    ],
    ["the service of a resource of every build is missing", mount([clock], {}), "resource.no_service"],
    ["a service comes without its feature", mount([notes], { notes: twoNotes }), "resource.no_feature"],
    ["a feature is there whose resource is not built", mount([goals], {}, { goals: true }), "resource.not_built"],
    ["two resources have one name", mount([clock, clock], { clock: now }), "resource.duplicate"],
    ["two resources serve one route", mount([clock, twice], { clock: now, other: now }), "resource.duplicate"],
    ["a definition is not served", mount([{ ...clock, routes: () => [] }], { clock: now }), "resource.unserved"],
    ["a route is not defined", mount([{ ...clock, definitions: [] }], { clock: now }), "resource.undefined_route"],
  ])("where %s", (_, start, code) => {
    expect(start).toThrow(expect.objectContaining({ name: "ResourceError", code }));
  });
});
