/**
 * Writes `model-prices.json` from the price list that the `litellm` wheel carries (MIT; `LICENSE-litellm`):
 *
 *   pip download litellm --no-deps -d /tmp/wheel
 *   node packages/agent-core/prices/write-prices.ts /tmp/wheel/litellm-*.whl
 *
 * Only what vendors charge for models of their own, not the prices of others who host the same model.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename } from "node:path";

const LISTED = "litellm/model_prices_and_context_window_backup.json";
/** Vendors, by whose names the package calls them, and which of the names they serve are models of theirs. */
const VENDORS: readonly (readonly [provider: string, own: RegExp])[] = [
  ["openai", /^(?:gpt|chatgpt|o\d|codex)/],
  ["anthropic", /^claude/],
  ["gemini", /^gem/],
  ["mistral", /tral|^open-mi/],
  ["deepseek", /^deepseek/],
  ["xai", /^grok/],
  ["cohere_chat", /^(?:command|c4ai)/],
  ["moonshot", /^(?:kimi|moonshot)/],
  ["zai", /^glm/],
  ["minimax", /^minimax/i],
  ["dashscope", /^qw/],
  ["perplexity", /^sonar/],
];
const DATED = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

interface Entry {
  readonly litellm_provider?: string;
  readonly mode?: string;
  readonly max_input_tokens?: number;
  readonly supports_vision?: boolean;
  readonly supports_reasoning?: boolean;
  readonly supports_output_config?: boolean;
  readonly reasoning_effort_levels?: readonly string[];
  readonly [field: string]: unknown;
}

/** Dollars per million tokens. */
const price = (value: unknown): number | null =>
  typeof value === "number" ? Number((value * 1_000_000).toFixed(6)) : null;

/** Vendors each of whose reasoning models takes the parameter; of the others only those count whose values are listed. */
const TAKES_EFFORT: { readonly [provider: string]: (entry: Entry, name: string) => boolean } = {
  openai: (entry, name) => entry.supports_reasoning === true && !/-chat|^computer-use/.test(name),
  gemini: (entry) => entry.supports_reasoning === true,
  anthropic: (entry) => entry.supports_output_config === true,
};
const USUAL_EFFORTS: readonly string[] = ["low", "medium", "high"];
const EFFORTS = ["none", "minimal", ...USUAL_EFFORTS, "xhigh", "max"];

/** The reasoning efforts a model takes, as one text; null: not known. */
function efforts(entry: Entry, name: string): string | null {
  const { reasoning_effort_levels: levels, litellm_provider: provider = "" } = entry;
  if (levels === undefined && TAKES_EFFORT[provider]?.(entry, name) !== true) return null;
  const takes = (effort: string): boolean => {
    if (levels !== undefined) return levels.includes(effort);
    const stated = entry[`supports_${effort}_reasoning_effort`];
    return typeof stated === "boolean" ? stated : USUAL_EFFORTS.includes(effort);
  };
  return EFFORTS.filter(takes).join(" ");
}

function row(entry: Entry, name: string): readonly unknown[] {
  const fields = [
    price(entry.input_cost_per_token),
    price(entry.output_cost_per_token),
    price(entry.cache_read_input_token_cost),
    price(entry.cache_creation_input_token_cost),
    entry.max_input_tokens ?? null,
    entry.supports_vision === true ? 1 : null,
    efforts(entry, name),
  ];
  return fields.slice(0, fields.findLastIndex((field) => field !== null) + 1);
}

function writePrices(wheel: string): void {
  const version = /^litellm-([\d.]+)-/.exec(basename(wheel))?.[1];
  if (version === undefined) throw new Error("expected the path of a litellm wheel");
  const text = execFileSync("unzip", ["-p", wheel, LISTED], { maxBuffer: 64 * 1024 * 1024, encoding: "utf8" });
  const listed = JSON.parse(text) as { readonly [name: string]: Entry };

  const models = new Map<string, { readonly row: readonly unknown[]; readonly rank: string }>();
  for (const [full, entry] of Object.entries(listed)) {
    const bare = full.slice(full.lastIndexOf("/") + 1);
    const name = bare.replace(DATED, "");
    const vendor = VENDORS.find(([provider, own]) => provider === entry.litellm_provider && own.test(name));
    const isText = entry.mode === "chat" || entry.mode === "responses";
    if (vendor === undefined || !isText || bare.startsWith("ft:")) continue;
    // The name without a date stands for all of its dates; without one the latest does.
    const rank = bare === name ? "z" : bare;
    const known = models.get(name);
    const found = row(entry, name);
    if (found.length > 0 && (known === undefined || rank > known.rank)) models.set(name, { row: found, rank });
  }

  const rows = [...models]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { row: fields }]) =>
        `    ${JSON.stringify(name)}: [${fields.map((field) => JSON.stringify(field)).join(", ")}]`,
    );
  const about = {
    from: `litellm ${version} (PyPI), Copyright (c) 2023 Berri AI, MIT: LICENSE-litellm`,
    date: new Date().toISOString().slice(0, 10),
    row: "[input, output, cache read, cache write: US dollars per million tokens, tokens of the window, 1: takes images, reasoning efforts]",
  };
  const out = new URL("model-prices.json", import.meta.url);
  const head = JSON.stringify(about, null, 2).slice(0, -2);
  writeFileSync(out, `${head},\n  "models": {\n${rows.join(",\n")}\n  }\n}\n`);
  process.stdout.write(`${rows.length} models from litellm ${version}\n`);
}

writePrices(process.argv[2] ?? "");
