import { manualClock } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import type { RouteCall } from "../../access/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { shareRoutes } from "./share-routes.ts";

/** The page of shared pages over a store that answers as told. */
function pageOver(page: (link: string) => Promise<unknown>, enabled = true) {
  const warned: unknown[] = [];
  const settings = { shares: { enabled }, credentials: { bearer: "token" }, identity: { name: "Ada" } };
  const route = shareRoutes({
    ...{ clock: manualClock(), settings, core: { db: { state: "lost" } }, opened: () => ({ page }) },
    logging: { logger: { warn: (...line: unknown[]) => void warned.push(line) } },
  } as unknown as RunningHost).find(({ path }) => path === "/share/:link");
  const ask = async (link: string) => {
    const response = await route!.handler(new Request("http://h"), { param: () => link } as unknown as RouteCall);
    return { status: response.status, text: await response.text() };
  };
  return { ask, warned };
}

const FOUND = { title: "One", page: "<p>two</p>", createdAt: 0, expiresAt: 1 };

it("asks the store once for every link, whatever its form, and also while sharing is off", async () => {
  for (const enabled of [true, false]) {
    const asked: string[] = [];
    const { ask } = pageOver(async (link) => {
      asked.push(link);
      return undefined;
    }, enabled);
    const links = ["A".repeat(43), "short", "x".repeat(5_000), ""];
    const answers = await Promise.all(links.map(ask));
    expect(asked).toEqual(links);
    for (const answer of answers) expect(answer).toEqual({ status: 404, text: answers[0]!.text });
  }
});

it("shows what was found only while sharing is on", async () => {
  expect((await pageOver(async () => FOUND).ask("x")).text).toContain("<p>two</p>");
  expect((await pageOver(async () => FOUND, false).ask("x")).status).toBe(404);
});

it("answers 503 where the store cannot be read, and logs no link", async () => {
  const { ask, warned } = pageOver(() => Promise.reject(new Error("the store is lost")));
  expect((await ask("the-secret-link")).status).toBe(503);
  expect(warned).toHaveLength(1);
  expect(JSON.stringify(warned)).not.toContain("the-secret-link");
});
