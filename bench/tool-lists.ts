/**
 * What many tools cost: a list of 10 to 5,000 that changes, a search in it, and a turn beside it, in this process.
 * `pnpm bench` prints it; alone: `node bench/tool-lists.ts`.
 */
import { createAgentCore, defineTools, searchTools } from "@agent-service/agent-core/host";
import { scriptedModel } from "@agent-service/agent-core/testing";
import { type AnyTool, defineTool, jsonInput } from "@agent-service/plugin-sdk";
import { type Bound, holdBounds } from "./bounds.ts";

const SIZES = [10, 100, 1_000, 5_000] as const;
const REBUILDS = 20;
const SEARCHES = 300;
const TURNS = 60;
const ROUNDS = 3;

/** One point of the curve, in milliseconds. */
export interface ToolListCost {
  readonly tools: number;
  /** Reading a list whose tools are all new, and one of which one changed (the median). */
  readonly firstMs: number;
  readonly rebuildMs: number;
  /** The first search builds the index. */
  readonly indexMs: number;
  readonly searchP99Ms: number;
  readonly turnMs: number;
}

const AREAS = ["calendar", "mail", "invoice", "ticket", "repository", "deployment", "customer", "document"];
const VERBS = ["list", "create", "update", "delete", "search", "export", "archive", "assign"];

function toolOf(number: number, text = ""): AnyTool {
  const [area, verb] = [AREAS[number % 8], VERBS[(number >> 3) % 8]];
  return defineTool({
    name: `server${number >> 6}__${verb}_${area}_${number}`,
    description: `Use this to ${verb} one ${area} of workspace ${number >> 6}. Returns what changed, as JSON.${text}`,
    input: jsonInput({
      type: "object",
      properties: { id: { type: "string" }, limit: { type: "integer", minimum: 1 }, workspace: { type: "string" } },
      required: ["id"],
    }),
    run: () => "done",
  });
}

function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}

/** Milliseconds of each of several calls. */
async function timesOf(count: number, work: (number: number) => unknown): Promise<readonly number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const start = performance.now();
    await work(number);
    times.push(performance.now() - start);
  }
  return times;
}

async function openWith(size: number) {
  let tools: readonly AnyTool[] = [];
  const core = await createAgentCore({
    store: ":memory:",
    model: { model: scriptedModel(() => "done"), name: "scripted" },
    toolPolicy: () => POLICY,
    features: [
      defineTools("search", ({ toolbox }) => [searchTools(toolbox)]),
      defineTools("others", () => () => tools, { source: "mcp" }),
    ],
  });
  const made = Array.from({ length: size }, (_, number) => toolOf(number));
  const show = (list: readonly AnyTool[]): void => {
    tools = list;
  };
  return { core, made, show };
}

const POLICY = Object.freeze({ dropped: [], withholdAbove: 128 });
const TURN = Object.freeze({ subagent: false, peer: false });
const QUERIES = ["search invoices", "deploy a repository", "who is the customer", "e", "archive mail of workspace 7"];

async function costOf(size: number): Promise<ToolListCost> {
  const { core, made, show } = await openWith(size);
  const read = () => core.toolbox.for(TURN).shown;
  show(made);
  const [firstMs = Number.NaN] = await timesOf(1, read);
  const rebuilds = await timesOf(REBUILDS, (number) => {
    show([...made.slice(0, -1), toolOf(size - 1, ` ${number}`)]);
    return read();
  });
  const search = core.toolbox.get("search_tools");
  const context = { caller: { class: "operator" } } as never;
  const find = (number: number) => search?.run({ query: QUERIES[number % QUERIES.length], limit: 10 }, context);
  const [indexMs = Number.NaN] = await timesOf(1, find);
  const searches = await timesOf(SEARCHES, find);
  const turns = await timesOf(TURNS, async () => (await core.tasks.start({ text: "go" })).settled());
  await core.stop();
  const isSearched = search !== undefined;
  return {
    tools: size,
    firstMs,
    rebuildMs: at(rebuilds, 0.5),
    indexMs: isSearched ? indexMs : Number.NaN,
    searchP99Ms: isSearched ? at(searches, 0.99) : Number.NaN,
    turnMs: at(turns, 0.5),
  };
}

/** Measures the curve; each figure is the best of a few rounds. */
export async function measureToolLists(): Promise<readonly ToolListCost[]> {
  const best = new Map<number, ToolListCost>();
  // The first round warms up the code.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const size of SIZES) {
      const cost = await costOf(size);
      const before = round <= 1 ? cost : (best.get(size) ?? cost);
      best.set(size, least(before, cost));
    }
  }
  return [...best.values()];
}

function least(a: ToolListCost, b: ToolListCost): ToolListCost {
  return {
    tools: a.tools,
    firstMs: Math.min(a.firstMs, b.firstMs),
    rebuildMs: Math.min(a.rebuildMs, b.rebuildMs),
    indexMs: Math.min(a.indexMs, b.indexMs),
    searchP99Ms: Math.min(a.searchP99Ms, b.searchP99Ms),
    turnMs: Math.min(a.turnMs, b.turnMs),
  };
}

/** The curve as a table. */
export function toolListReport(costs: readonly ToolListCost[]): string {
  const cells = (row: readonly string[]) => row.map((cell) => cell.padStart(14)).join("");
  const figure = (ms: number) => (Number.isNaN(ms) ? "-" : ms.toFixed(2));
  const rows = costs.map(({ tools, firstMs, rebuildMs, indexMs, searchP99Ms, turnMs }) =>
    cells([tools.toLocaleString("en-US"), ...[firstMs, rebuildMs, indexMs, searchP99Ms, turnMs].map(figure)]),
  );
  const head = ["tools", "all new, ms", "one new, ms", "index, ms", "search p99", "turn, ms"];
  return ["tools of others, beside the agent's own", cells(head), ...rows].join("\n");
}

/** What thousands of tools may cost. */
export function toolListBounds(costs: readonly ToolListCost[]): readonly Bound[] {
  const [few, many] = [costs[0], costs.at(-1)];
  const flat = few === undefined || many === undefined ? undefined : many.turnMs / few.turnMs;
  return [
    { what: "5,000 tools, all new, ms", found: many?.firstMs, most: 50, isTime: true },
    { what: "5,000 tools, one new, ms", found: many?.rebuildMs, most: 50, isTime: true },
    { what: "search in 5,000 tools, p99 ms", found: many?.searchP99Ms, most: 5, isTime: true },
    { what: "a turn beside 5,000 tools, × beside 10", found: flat, most: 1.25, isTime: false },
  ];
}

if (import.meta.main) {
  const costs = await measureToolLists();
  console.log(toolListReport(costs));
  holdBounds(toolListBounds(costs), 1);
}
