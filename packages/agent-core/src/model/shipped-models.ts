import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { REASONING_EFFORTS, type ReasoningEffort } from "./model-port.ts";
import type { ModelPrice } from "./model-price.ts";

/** What vendors publish of a model. Prices are estimates: what a provider bills is what it bills. */
export interface PublishedModel {
  readonly price?: ModelPrice;
  /** Tokens of its context window. */
  readonly contextWindow?: number;
  readonly vision?: true;
  /** The reasoning efforts it takes; absent: not known. */
  readonly efforts?: readonly ReasoningEffort[];
}

/** The public list that ships with the release (R13). */
export interface ShippedModels {
  /**
   * A model of the list. A vendor before the name (`openai/gpt-4o`) and a date after it (`-2024-08-06`, `-20250929`) do
   * not count, nor how a version's digits are parted (`4.5`, `4-5`); any other name is another model, of which nothing is
   * known.
   */
  of(model: string): PublishedModel | undefined;
}

/**
 * Prices in dollars per million tokens, the window, 1 where it takes images, its reasoning efforts; what is not known is
 * null or left out.
 */
type Row = readonly [
  input?: number | null,
  output?: number | null,
  cacheRead?: number | null,
  cacheWrite?: number | null,
  contextWindow?: number | null,
  vision?: number | null,
  efforts?: string | null,
];

const NONE: ReadonlyMap<string, Row> = new Map();

/** Names whose answer is kept: every call of a model asks three times, and callers may name any. */
const MAX_KEPT = 256;

/** The file beside the sources and the built modules, or beside a bundle that has this module. */
function readRows(): ReadonlyMap<string, Row> {
  const paths = ["../../prices/model-prices.json", "./prices/model-prices.json"];
  const file = paths.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((path) => existsSync(path));
  if (file === undefined) return NONE;
  const { models } = JSON.parse(readFileSync(file, "utf8")) as { readonly models: { readonly [name: string]: Row } };
  return new Map(Object.entries(models));
}

function published([input, output, cacheRead, cacheWrite, contextWindow, vision, efforts]: Row): PublishedModel {
  const price = { input, output, cacheRead, cacheWrite };
  const known = Object.entries(price).filter(([, dollars]) => typeof dollars === "number");
  return {
    ...(known.length === 0 ? {} : { price: Object.fromEntries(known) }),
    ...(typeof contextWindow === "number" ? { contextWindow } : {}),
    ...(vision === 1 ? { vision: true } : {}),
    ...(typeof efforts === "string" ? { efforts: readEfforts(efforts.split(" ")) } : {}),
  };
}

/** The reasoning efforts among values, in their order from the least to the most. */
export function readEfforts(values: readonly unknown[]): readonly ReasoningEffort[] {
  return REASONING_EFFORTS.filter((effort) => values.includes(effort));
}

/** Opens the list. Its file, 19 kB, is read when a model is first looked for. */
export function shippedModels(): ShippedModels {
  let rows: ReadonlyMap<string, Row> | undefined;
  const kept = new Map<string, PublishedModel | undefined>();
  function find(model: string): PublishedModel | undefined {
    rows ??= readRows();
    const name = model.slice(model.lastIndexOf("/") + 1).replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "");
    const row = rows.get(name) ?? rows.get(name.replaceAll(".", "-"));
    return row && published(row);
  }
  return {
    of(model) {
      const known = kept.get(model);
      if (known !== undefined || kept.has(model)) return known;
      const found = find(model);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(model, found);
      return found;
    },
  };
}
