import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NO_SHARE_PAGE, sharePage } from "./share-page.ts";
import { SHARE_STYLE } from "./share-style.ts";

const ROOT = new URL("../../../../../", import.meta.url);
const consoleFile = (path: string): string => readFileSync(new URL(`apps/console/src/${path}`, ROOT), "utf8");

const pages = [NO_SHARE_PAGE, sharePage({ title: "One", page: "<p>two</p>", createdAt: 0, expiresAt: 60_000 }, "Ada")];

it("carries the mark of the console", () => {
  const mark = consoleFile("identity/mark.tsx");
  const [, path] = /\bd="([^"]+)"/.exec(mark) ?? [];
  const [, cx, cy, r] = /cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/.exec(mark) ?? [];
  for (const page of pages) expect(page).toMatch(`d="${path}"`);
  for (const page of pages) expect(page).toMatch(`cx="${cx}" cy="${cy}" r="${r}"`);
});

it("has the console's colours", () => {
  const tokens = consoleFile("ui/tokens.css");
  for (const [, colour] of SHARE_STYLE.matchAll(/--[\w-]+: (light-dark\(.*\));/g)) expect(tokens).toContain(colour);
});

it("asks for no address but its style sheet's", () => {
  for (const page of pages) expect(page.match(/(?:href|src|action)="[^"]*"/g)).toEqual(['href="page.css"']);
});
