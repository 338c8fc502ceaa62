import fc from "fast-check";
import { expect, test } from "vitest";
import { readResourceList } from "./resource-list.ts";

const OPTIONS = { maxChars: null, redact: (text: string) => text.replaceAll("hunter2", "***") };

test("a page of resources is a line each, with what is known of them, without secrets and what cannot be seen", () => {
  const page = {
    resources: [
      { uri: "file:///a.md", name: "a.md", mimeType: "text/markdown", size: 12, description: "First\n of\u200b all" },
      { uri: "file:///hunter2", name: "file:///hunter2" },
      { uri: 5 },
      null,
    ],
    nextCursor: 'c"2',
  };
  const templates = { resourceTemplates: [{ uriTemplate: "notes://{name}", title: "Notes", name: "n" }] };
  expect(readResourceList(page, templates, OPTIONS)).toBe(
    [
      "- file:///a.md (a.md, text/markdown, 12 bytes): First of all",
      "- file:///***",
      "",
      "Addresses that it takes too, with a value for each {name}:",
      "- notes://{name} (Notes)",
      "",
      'There is more: call it again with cursor "c\\"2"',
    ].join("\n"),
  );
});

test("a long page is cut in its middle, and its cursor stays whole", () => {
  const resources = Array.from({ length: 510 }, (_, n) => ({ uri: `file:///${n}`, name: "x".repeat(500) }));
  const whole = readResourceList({ resources }, undefined, OPTIONS);
  expect(whole).toMatch(/\n- and 10 more of this page$/);
  expect(Math.max(...whole.split("\n").map((line) => line.length))).toBeLessThan(200);
  const cut = readResourceList({ resources, nextCursor: "next" }, undefined, { ...OPTIONS, maxChars: 400 });
  expect(cut.length).toBeLessThan(500);
  expect(cut).toMatch(/^- file:\/\/\/0 [\s\S]*call it again with cursor "next"$/);
});

test("whatever a server answers, it is read", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (page, templates) => {
      expect(typeof readResourceList(page, templates, OPTIONS)).toBe("string");
    }),
  );
  expect(readResourceList(undefined, undefined, OPTIONS)).toBe("It lists no resources.");
});
