import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import {
  type Chunk,
  INITIAL_LIMIT,
  LAZY_LIMIT,
  measureParts,
  reportLines,
} from "../../apps/console/build/size-report.ts";

/** Code that gzip makes no smaller than `bytes`. */
const code = (bytes: number): string => randomBytes(bytes).toString("latin1");

function chunk(fileName: string, bytes: number, about: Partial<Chunk> = {}): Chunk {
  return {
    fileName,
    code: code(bytes),
    isEntry: false,
    facadeModuleId: null,
    imports: [],
    dynamicImports: [],
    ...about,
  };
}

const entry = chunk("main.js", 1_000, {
  isEntry: true,
  facadeModuleId: "/c/src/main.tsx",
  dynamicImports: ["shell.js", "chat.js", "chart.js"],
});
const shell = chunk("shell.js", 2_000, { facadeModuleId: "/c/src/shell/index.ts", imports: ["shared.js"] });
const shared = chunk("shared.js", 4_000);
const own = chunk("own.js", 8_000);

test("the first page is everything that loads before the first screen, counted once", () => {
  const [first] = measureParts([entry, shell, shared]);
  expect(first?.name).toBe("first page");
  expect(first?.bytes).toBeGreaterThan(7_000);
  expect(first?.bytes).toBeLessThan(7_000 * 1.6);
  expect(first?.limit).toBe(INITIAL_LIMIT);
});

test("the script of a frame is no part of the first page", () => {
  const frame = chunk("frames/diagram.js", 50_000, { isEntry: true, facadeModuleId: "/c/src/markdown/frames/draw.ts" });
  expect(measureParts([entry, shell, shared, frame])[0]?.bytes).toBeLessThan(7_000 * 1.6);
});

test("a screen is what it needs beyond the first page; markdown may be larger, what it loads too", () => {
  const chat = chunk("chat.js", 500, {
    facadeModuleId: "/c/src/features/chat/page.tsx",
    imports: ["own.js", "shared.js"],
    dynamicImports: ["markdown.js"],
  });
  const markdown = chunk("markdown.js", 100, {
    facadeModuleId: "/c/src/markdown/rendered.tsx",
    imports: ["main.js"],
    dynamicImports: ["shiki.js"],
  });
  const shiki = chunk("shiki.js", 200_000, { facadeModuleId: "/m/shiki.js", imports: ["chat.js"] });
  const chart = chunk("chart.js", 90_000, { facadeModuleId: "/m/uplot.js" });
  const parts = measureParts([entry, shell, shared, own, chat, markdown, shiki, chart]);
  const limits = Object.fromEntries(parts.map(({ name, limit }) => [name, limit]));
  expect(limits).toEqual({
    "first page": INITIAL_LIMIT,
    "shiki.js": undefined,
    "chart.js": LAZY_LIMIT,
    "chat.js": LAZY_LIMIT,
    "markdown.js": undefined,
  });
  const sizeOf = (name: string): number => parts.find((part) => part.name === name)?.bytes ?? 0;
  expect(sizeOf("chat.js")).toBeGreaterThan(8_500);
  expect(sizeOf("chat.js")).toBeLessThan(8_500 * 1.6);
  expect(reportLines(parts).filter((line) => line.includes("too much"))).toHaveLength(1);
});

test("a part that a screen asks for is what it needs beyond that screen", () => {
  const chat = chunk("chat.js", 30_000, {
    facadeModuleId: "/c/src/features/chat/page.tsx",
    imports: ["own.js"],
    dynamicImports: ["viewer.js"],
  });
  const viewer = chunk("viewer.js", 500, {
    facadeModuleId: "/c/src/features/chat/viewer.tsx",
    imports: ["chat.js", "more.js"],
  });
  const more = chunk("more.js", 1_000);
  const parts = measureParts([entry, shell, shared, own, chat, viewer, more]);
  const size = parts.find(({ name }) => name === "viewer.js")?.bytes ?? 0;
  expect(size).toBeGreaterThan(1_500);
  expect(size).toBeLessThan(1_500 * 1.6);
});
