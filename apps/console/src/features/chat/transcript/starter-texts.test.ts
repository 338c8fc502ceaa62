import { expect, test } from "vitest";
import { STARTERS } from "./starter-texts.ts";

test("there are four, each with a title and a line of its own, and each does something with the demo's model", () => {
  expect(new Set(STARTERS.map(({ title }) => title)).size).toBe(4);
  for (const { line, demo } of STARTERS) {
    expect(line.length).toBeLessThan(70);
    expect(demo).toMatch(/^\/call \w+ \{/m);
  }
});
