import { expect, test } from "vitest";
import { provideRandomUuid, uuidOf } from "./random-uuid.ts";

test("a browser without names of its own gets random ones, and one that has them keeps its own", () => {
  const bare = { getRandomValues: crypto.getRandomValues.bind(crypto) };
  provideRandomUuid(bare);
  const { randomUUID } = bare as Partial<Crypto>;
  const made = new Set(Array.from({ length: 100 }, () => randomUUID?.()));
  expect(made.size).toBe(100);
  for (const name of made) expect(name).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const own = { ...bare, randomUUID: () => "own" };
  provideRandomUuid(own);
  expect(own.randomUUID()).toBe("own");
  expect(uuidOf(new Uint8Array(16))).toBe("00000000-0000-4000-8000-000000000000");
});
