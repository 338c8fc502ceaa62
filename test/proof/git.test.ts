import { expect, test } from "vitest";
import { HOSTILE_REPOSITORIES } from "./git/hostile-repositories.ts";
import { runGit } from "./git/run-git.ts";

const TRIED = ["clean-filter", "fsmonitor"];

test("no route, tool or record of a command runs what a repository names, and plain git does (GR1)", async () => {
  const tried = HOSTILE_REPOSITORIES.filter(({ name }) => TRIED.includes(name));
  expect(HOSTILE_REPOSITORIES.length).toBeGreaterThanOrEqual(20);
  expect(await runGit(tried)).toMatchObject({
    ...{ ran: [], harmless: [], shown: expect.arrayContaining(TRIED) },
    undone: tried.map(({ name }) => name),
  });
});
