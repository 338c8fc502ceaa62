/** Every route of the operator API under malformed requests (B30; O2, S5). */
import { listProblemSchema, operatorDefinitions, type RouteDefinition } from "@agent-service/operator-api";
import fc from "fast-check";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService();
});
afterAll(() => running.stop());

/** Requests of each route that takes something; `pnpm proof:requests` sends more. */
const REQUESTS = Number(process.env.REQUESTS_OF_A_ROUTE ?? 15);

/** What no refusal may repeat. */
const CANARY = "canary-5f1e0a9b7c";

const junk = fc.oneof(
  fc.constant(CANARY),
  fc.constant(null),
  fc.boolean(),
  fc.double(),
  fc.constantFrom("", "x".repeat(300_000), "\ud800", "\u0000", "__proto__", "../../etc/passwd", "null", "-1", "1e999"),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The names a schema declares, so that junk gets past the first look. */
function namesOf(schema: v.GenericSchema | undefined): readonly string[] {
  const { entries = {} } = (schema ?? {}) as { readonly entries?: object };
  return Object.keys(entries);
}

function bodyOf({ body }: RouteDefinition): fc.Arbitrary<string | undefined> {
  if (body === undefined) return fc.constantFrom(undefined, "{}", "[]", CANARY);
  const fields = Object.fromEntries(namesOf(body).map((name) => [name, junk]));
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(fields, { requiredKeys: [] }).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: junk.map((value) => JSON.stringify(value)) },
    fc.constantFrom("", "{", `{"a":"${CANARY}`, "[".repeat(100_000), '{"__proto__":{}}', '{"a":1}{"b":2}'),
  );
}

function targetOf({ path, query }: RouteDefinition): fc.Arbitrary<string> {
  const segment = fc.constantFrom(CANARY, "x", "%00", "%2e%2e", "a%2Fb", "x".repeat(600), "%F0%9F%92%A9");
  const value = fc.constantFrom(CANARY, "", "-1", "0", "99999999999999999999", "NaN", "%00", "eyJhIjoxfQ");
  const names = [...namesOf(query), "other"];
  const sent = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 });
  return fc.tuple(segment, sent).map(([part, pairs]) => {
    const filled = path.replaceAll(/\{\w+\}/g, part);
    return pairs.length === 0 ? filled : `${filled}?${pairs.map(([name, text]) => `${name}=${text}`).join("&")}`;
  });
}

describe.each(operatorDefinitions.map((definition) => [definition.name, definition as RouteDefinition] as const))(
  "%s",
  (_, definition) => {
    it("answers junk in the documented shapes, never with a fault, and repeats nothing of it", async () => {
      const { method, path, query, body } = definition;
      const takesSomething = path.includes("{") || query !== undefined || body !== undefined;
      await fc.assert(
        fc.asyncProperty(targetOf(definition), bodyOf(definition), async (target, text) => {
          const bare = method === "GET" || method === "DELETE" || text === undefined;
          const response = await fetch(running.url + target, {
            method,
            ...(bare ? {} : { body: text, headers: { "content-type": "application/json" } }),
          });
          // A stream has no end of its own.
          if (response.status < 400) return await response.body?.cancel();
          const answer = await response.text();
          expect(response.status, answer).not.toBe(500);
          const refusal = JSON.parse(answer) as { readonly detail?: unknown };
          expect(refusal.detail).toBeDefined();
          if (response.status !== 422) return;
          expect(v.is(listProblemSchema, refusal)).toBe(true);
          expect(answer).not.toContain(CANARY);
        }),
        { numRuns: takesSomething ? REQUESTS : 3 },
      );
    });
  },
);

const bodies = operatorDefinitions.flatMap((definition: RouteDefinition) =>
  definition.body === undefined ? [] : [[definition.name, definition] as const],
);

it.each(bodies)("%s refuses a list or a scalar where its object belongs (O4)", async (_, { method, path }) => {
  for (const text of ["[]", "[{}]", "3", '"a"', "true", "null"]) {
    const response = await fetch(running.url + path.replaceAll(/\{\w+\}/g, "x"), {
      method,
      body: text,
      headers: { "content-type": "application/json" },
    });
    expect([text, response.status]).toEqual([text, 422]);
    expect(v.is(listProblemSchema, await response.json())).toBe(true);
  }
});
