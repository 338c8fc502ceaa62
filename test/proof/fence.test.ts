/** The proof of the fence, in small: what `pnpm proof:fence` does with more races (FE1 to FE7, F3 to F5). */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../apps/server/src/testing/test-service.ts";
import { files } from "../../packages/agent-core/src/host.ts";
import { Fence } from "../../packages/agent-core/src/index.ts";
import { fenceCases } from "./fence/cases.ts";
import { runCases } from "./fence/run-cases.ts";
import { runRaces } from "./fence/run-races.ts";
import { startInWorld } from "./fence/start-world.ts";
import { waysOfFence, waysOfRoutes, waysOfTextGuard, waysOfTools } from "./fence/ways.ts";
import { makeWorld, type World } from "./fence/world.ts";

let world: World;
let running: TestService;
let fence: Fence;
beforeAll(async () => {
  world = makeWorld();
  running = await startInWorld(world);
  fence = running.service.core.features[files.name].fence;
});
afterAll(async () => {
  await running?.stop();
  world?.remove();
});

const checked = (): Fence =>
  new Fence({ projects: () => fence.projects, places: () => fence.places, holding: "checked" });

test("400 hostile paths are refused as stated by the fence, every file tool and the content route (FE1)", async () => {
  const cases = fenceCases(world);
  expect(cases.filter(({ refused }) => refused !== undefined).length).toBeGreaterThanOrEqual(400);
  const tools = waysOfTools((name) => running.service.core.toolbox.get(name));
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["read_file", "search_files"]));
  const ways = [...waysOfFence(fence), ...waysOfFence(checked()), ...tools, ...waysOfRoutes(running.url)];
  const report = await runCases(world, cases, ways, 1 / 6);
  expect(report.violations).toEqual([]);
  expect(report.tried).toBeGreaterThan(500);
});

test("no swap of folders and files by another process leads out (FE2)", async () => {
  const report = await runRaces(world, waysOfFence(fence), 400);
  expect(report).toMatchObject({ violations: [] });
  expect(report.reached).toBeGreaterThan(0);
});

test("the proof finds out a guard that compares texts", async () => {
  const root = fence.projects.find("app")!.root;
  const cases = fenceCases(world).filter(({ project }) => project === "app");
  const { violations } = await runCases(world, cases, waysOfTextGuard(root));
  expect(violations.filter((line) => line.endsWith("it shows what it must not")).length).toBeGreaterThan(50);
});
