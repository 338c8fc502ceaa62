import { expect, test } from "vitest";
import { moduleStateRule } from "./module-state-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

function violations(source: string, file = "packages/agent-core/src/turn/turn.ts"): string[] {
  return moduleStateRule(parseTree(treeOf({ [file]: source }))).map(({ message }) => message);
}

test.each([
  ["a let", "let count = 0;"],
  ["an exported let", "export let count = 0;"],
  ["a var", "var count = 0;"],
  ["a Map", "const cache = new Map<string, string>();"],
  ["a Set with contents", `const seen = new Set(["a"]);`],
  ["a WeakMap", "const owners = new WeakMap<object, string>();"],
  ["an empty array", "const queue: string[] = [];"],
  ["an empty object", "const table: Record<string, string> = {};"],
  ["an object that is written to", "const state = { count: 0 }; export function next() { state.count += 1; }"],
  ["an object whose field is deleted", "const state = { a: 1 }; export const drop = () => { delete state.a; };"],
  ["an array that is pushed to", `const names = ["a"]; export const add = (name) => names.push(name);`],
  ["an object that is assigned into", "const state = { a: 1 }; export const set = (b) => Object.assign(state, b);"],
  ["a counter that is increased", "const state = { n: 0 }; export const next = () => state.n++;"],
  ["a live object", `import { Pool } from "undici"; export const pool = new Pool("x");`],
  [
    "an async context",
    `import { AsyncLocalStorage } from "node:async_hooks"; const current = new AsyncLocalStorage();`,
  ],
  ["a pattern that remembers its position", "const word = /a/g; export const find = (text) => word.exec(text);"],
  ["a static field", "class Registry { static entries = 0; }"],
  ["a static collection", "class Registry { static readonly entries = new Map(); }"],
  ["a write to globalThis", "export function install(value) { globalThis.agent = value; }"],
])("%s at module level is found", (_what, source) => {
  expect(violations(source)).toHaveLength(1);
});

test.each([
  ["a class of the same package", `import { Base } from "./base.ts"; class Turn extends Base {}`],
  ["a class of another package", `import { Base } from "@agent-service/plugin-sdk"; class Turn extends Base {}`],
  ["a class of the same file", "class Base {} class Turn extends Base {}"],
])("extending %s is found", (_what, source) => {
  expect(violations(source)).toEqual([expect.stringContaining("never by subclassing")]);
});

test("an abstract class is found", () => {
  expect(violations("export abstract class Base {}")).toEqual([expect.stringContaining("asks to be subclassed")]);
});

test.each([
  ["constants", "const limit = 5; export const names = ['a', 'b'];"],
  [
    "tables that cannot be written",
    `const kinds: ReadonlySet<string> = new Set(["a"]); const table: ReadonlyMap<string, number> = new Map();`,
  ],
  [
    "frozen and constant literals",
    "const none = [] as const; const empty = Object.freeze({}); const list: readonly string[] = [];",
  ],
  [
    "state inside a function",
    "export function count() { let n = 0; const seen = new Set(); return () => { n += 1; seen.add(n); }; }",
  ],
  ["a local name that hides the module's", "const state = { n: 0 }; export function f(state) { state.n = 1; }"],
  ["patterns used without a position", `const word = /a/g; export const clean = (text) => text.replaceAll(word, "");`],
  [
    "encoders, addresses and formats",
    `const encoder = new TextEncoder(); const at = new URL("http://a"); const f = new Intl.NumberFormat("en");`,
  ],
  ["ambient declarations", "declare const build: string; declare let flag: boolean;"],
  [
    "errors that extend errors",
    `import { AgentError } from "./agent-error.ts"; class A extends Error {} class B extends AgentError {}`,
  ],
  ["streams of the platform", `import { Transform } from "node:stream"; class Lines extends Transform {}`],
])("%s pass", (_what, source) => {
  expect(violations(source)).toEqual([]);
});

test("tests may hold state between their hooks", () => {
  expect(violations("let server;", "packages/agent-core/src/turn/turn.test.ts")).toEqual([]);
});
