/**
 * `pnpm proof:fence [--races N]`: hostile paths by every way to a file, and races against a process that swaps folders and
 * files for links to outside. What it found stands in `docs/security.md`.
 */
import { parseArgs } from "node:util";
import { files } from "../../packages/agent-core/src/host.ts";
import { Fence } from "../../packages/agent-core/src/index.ts";
import { fenceCases } from "./fence/cases.ts";
import { runCases } from "./fence/run-cases.ts";
import { runRaces } from "./fence/run-races.ts";
import { startInWorld } from "./fence/start-world.ts";
import { waysOfFence, waysOfRoutes, waysOfTools } from "./fence/ways.ts";
import { makeWorld } from "./fence/world.ts";

const { values } = parseArgs({ options: { races: { type: "string", default: "10000" } } });
const world = makeWorld({ mounts: true });
const running = await startInWorld(world);
const violations: string[] = [];
try {
  const { fence } = running.service.core.features[files.name];
  const checked = new Fence({ projects: () => fence.projects, places: () => fence.places, holding: "checked" });
  const tools = waysOfTools((name) => running.service.core.toolbox.get(name));
  const ways = [...waysOfFence(fence), ...waysOfFence(checked), ...tools, ...waysOfRoutes(running.url)];
  const cases = fenceCases(world);
  const kinds = new Map<string, number>();
  for (const { kind } of cases) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  console.log(`${cases.length} paths: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")}`);
  console.log(`by ${ways.map(({ name }) => name).join(", ")}`);
  const report = await runCases(world, cases, ways);
  console.log(`${report.tried} calls: ${report.refused} refused as stated, ${report.reached} reached what they may`);
  violations.push(...report.violations);
  // A search has a thread of its own, whose start takes longer than a thousand swaps: a few of them are enough.
  const quick = tools.filter(({ wanted }) => wanted !== "tree");
  const raced = await runRaces(world, [...waysOfFence(fence), ...quick], Number(values.races));
  console.log(
    `${raced.races} races against ${raced.swaps} rounds of swaps: ${raced.reached} reached, ${raced.refused} refused`,
  );
  violations.push(...raced.violations);
  const searches = tools.filter(({ wanted }) => wanted === "tree");
  const searched = await runRaces(world, searches, 20 * searches.length);
  console.log(`${searched.races} searches of it: ${searched.reached} reached, ${searched.refused} refused`);
  violations.push(...searched.violations);
} finally {
  await running.stop();
  world.remove();
}
console.log(`${violations.length} violations`);
for (const violation of violations.slice(0, 100)) console.log(`    ${violation}`);
process.exitCode = violations.length === 0 ? 0 : 1;
