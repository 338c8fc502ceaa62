import { expect, test } from "vitest";
import { linesText, linesWords, parseLines, readCodePlace } from "./code-place.ts";

test("a component of show_code is read, whatever of it is missing or wrong", () => {
  const props = { project: "app", path: "a.ts", start: 3, end: 5, note: "Here." };
  const place = { project: "app", path: "a.ts", lines: { start: 3, end: 5 }, note: "Here." };
  expect(readCodePlace({ component: "code", props })).toEqual(place);
  const only = (more: object) => readCodePlace({ component: "code", props: { ...props, ...more } })?.lines;
  expect(only({ end: null })).toEqual({ start: 3, end: 3 });
  expect(only({ end: 1 })).toEqual({ start: 3, end: 3 });
  for (const start of [null, 0, 1.5, "3", Number.NaN]) expect(only({ start })).toBeUndefined();
  for (const wrong of [undefined, null, "code", {}, { component: "table", props }, { component: "code", props: null }])
    expect(readCodePlace(wrong)).toBeUndefined();
  expect(readCodePlace({ component: "code", props: { ...props, path: "" } })).toBeUndefined();
});

test("lines stand in an address as a number or two", () => {
  expect([parseLines("12"), parseLines("12-20"), parseLines("20-12")]).toEqual([
    { start: 12, end: 12 },
    { start: 12, end: 20 },
    { start: 20, end: 20 },
  ]);
  for (const wrong of [undefined, "", "0", "x", "1-", "-1", "1-2-3", "1e3"]) expect(parseLines(wrong)).toBeUndefined();
  const [one, some] = [
    { start: 2, end: 2 },
    { start: 2, end: 4 },
  ];
  expect([linesText(one), linesText(some)]).toEqual(["2", "2-4"]);
  expect([linesWords(one), linesWords(some)]).toEqual(["line 2", "lines 2 to 4"]);
});
