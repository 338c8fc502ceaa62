import { roundDollars } from "../event/index.ts";
import { hitRatio, type TurnReport } from "./turn-report.ts";

/** What stands out among some turns, and which levers could make them cheaper or better. */
export interface TurnInsights {
  readonly turns: number;
  /** Turns that cost or took five times the median or more, the newest first. */
  readonly flagged: readonly (TurnReport & { readonly reasons: readonly string[] })[];
  /** Before the list was cut. */
  readonly flagged_count: number;
  readonly levers: {
    readonly cache: {
      readonly hit_ratio: number | null;
      readonly read_tokens: number;
      /** Null where a price is not known. */
      readonly est_savings_usd: number | null;
    };
    readonly routing: {
      readonly by_model: readonly {
        readonly model: string;
        readonly turns: number;
        readonly cost_usd: number | null;
        readonly success_rate: number | null;
      }[];
    };
    readonly success_rate: number | null;
  };
  /** Levers for whose use these turns show nothing. */
  readonly unproven_levers: readonly string[];
}

/** How many times the median is much. */
const FACTOR = 5;
const MAX_FLAGGED = 20;

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function rateOf(turns: readonly TurnReport[]): number | null {
  const ended = turns.filter(({ success }) => success !== null);
  return ended.length === 0 ? null : ended.filter(({ success }) => success === 1).length / ended.length;
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : roundDollars(known.reduce((sum, value) => sum + value, 0));
}

function savedBy(turns: readonly TurnReport[], savings: (model: string) => number | undefined): number | null {
  let sum = 0;
  for (const { model, cache_read_input_tokens: read } of turns) {
    if (read === 0) continue;
    const perToken = savings(model);
    if (perToken === undefined) return null;
    sum += read * perToken;
  }
  return roundDollars(sum);
}

/** Computes the insights of turns. `savings`: dollars saved per cached token of a model; undefined: not known. */
export function insightsOf(turns: readonly TurnReport[], savings: (model: string) => number | undefined): TurnInsights {
  const cost = medianOf(turns.flatMap(({ cost_usd }) => (cost_usd === null || cost_usd === 0 ? [] : [cost_usd])));
  const duration = medianOf(turns.map(({ duration_ms }) => duration_ms));
  const flagged = turns.flatMap((turn) => {
    const reasons: string[] = [];
    if (cost > 0 && turn.cost_usd !== null && turn.cost_usd >= FACTOR * cost) reasons.push("cost");
    if (duration > 0 && turn.duration_ms >= FACTOR * duration) reasons.push("duration");
    return reasons.length === 0 ? [] : [{ ...turn, reasons }];
  });
  const read = turns.reduce((sum, turn) => sum + turn.cache_read_input_tokens, 0);
  const input = turns.reduce((sum, turn) => sum + turn.input_tokens, 0);
  const models = Map.groupBy(
    turns.filter(({ model }) => model !== ""),
    ({ model }) => model,
  );
  return {
    turns: turns.length,
    flagged: flagged.slice(0, MAX_FLAGGED),
    flagged_count: flagged.length,
    levers: {
      cache: { hit_ratio: hitRatio(read, input), read_tokens: read, est_savings_usd: savedBy(turns, savings) },
      routing: {
        by_model: [...models].map(([model, own]) => ({
          model,
          turns: own.length,
          cost_usd: sumOrNull(own.map(({ cost_usd }) => cost_usd)),
          success_rate: rateOf(own),
        })),
      },
      success_rate: rateOf(turns),
    },
    unproven_levers: [...(read === 0 ? ["cache"] : []), ...(models.size < 2 ? ["routing"] : [])],
  };
}
