/** Every screen of the console that links lead to, in a real browser, and the console behind a proxy. */
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../apps/server/src/testing/test-service.ts";
import { chunkEvent, endEvents, localGateway } from "../../packages/agent-core/src/testing/index.ts";
import { violationsOn } from "./rig/accessibility.ts";
import { builtConsole } from "./rig/built-console.ts";
import { type ConsoleRig, startConsoleRig } from "./rig/console-rig.ts";
import { reverseProxy } from "./rig/reverse-proxy.ts";
import { seed } from "./rig/seed.ts";
import { visitEveryScreen } from "./rig/visit-every-screen.ts";

let rig: ConsoleRig;
let seeded: TestService;

beforeAll(async () => {
  rig = await startConsoleRig((await builtConsole()).folder);
  seeded = await rig.start({
    config: "enforcement: {require_approval: [current_time]}\n",
    env: { SVC_HEADLESS_SETUP: "true" },
  });
  await seed(seeded);
});

afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await seeded?.stop();
});

const variants: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["on a phone of 320 px", { viewport: { width: 320, height: 640 }, hasTouch: true }],
  ["in the dark theme", { colorScheme: "dark" }],
];

test.each(variants)("every screen is accessible to axe and fits its width %s", async (name, options) => {
  await rig.use(name, seeded.url, options, async (watched) => {
    const { page } = watched;
    const found: string[] = [];
    const screens = await visitEveryScreen(watched, `${seeded.url}/app/`, async (screen) => {
      const violations = await violationsOn(page);
      for (const { id, help, nodes } of violations) {
        for (const node of nodes) found.push(`${screen}: ${id}, ${help}: ${node.html}\n${node.failureSummary}`);
      }
      const [wider, longer] = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return [scrollWidth - innerWidth, scrollHeight - innerHeight] as const;
      });
      if (wider > 0) found.push(`${screen}: ${wider} px wider than the window`);
      // Screens scroll inside of the frame: else its bars go away, and below them is nothing.
      if (longer > 0) found.push(`${screen}: the window itself scrolls by ${longer} px`);
    });
    expect(found).toEqual([]);
    expect(screens).toContain("/app/approvals");
  });
});

test("below a proxy's prefix every screen opens, gets events, and requests nothing outside of it", async () => {
  await using proxy = await reverseProxy(seeded.url, "/agents/one");
  await rig.use("below a prefix", proxy.url, {}, async (watched) => {
    const { page } = watched;
    const statuses: [url: string, status: number][] = [];
    page.on("response", (response) => void statuses.push([response.url(), response.status()]));
    const screens = await visitEveryScreen(watched, `${proxy.url}/app/`, async () => {});
    // A deep address is opened anew as well as any other.
    await watched.visit("work/board");
    await page.getByRole("heading", { level: 1, name: "Work" }).waitFor();
    expect(screens).toContain("/agents/one/app/approvals");
    expect(statuses).toContainEqual([`${proxy.url}/api/events`, 200]);
  });
  expect(proxy.strayed).toEqual([]);
});

test("an answer whose connection is cut shows that, and is the same one once the connection is back", async () => {
  const [isCut, isMended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const steps = [
    chunkEvent({ reasoning_content: "Half by half" }),
    chunkEvent({ content: "The **first** half" }),
    isCut.promise,
    chunkEvent({ content: " and the other." }),
    isMended.promise,
    chunkEvent({ content: " Over." }),
    endEvents("stop"),
  ];
  const gateway = await localGateway({ steps });
  const service = await rig.start({
    config: `providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]\nmodel: { name: "gw:any" }\n`,
    env: { SVC_MODEL: "", SVC_HEADLESS_SETUP: "true" },
  });
  try {
    await using proxy = await reverseProxy(service.url, "/agents/one");
    await rig.use("cut off", proxy.url, {}, async ({ page, watch, visit }) => {
      watch.expectLoss();
      await visit("chat/new");
      await page.getByRole("textbox", { name: "Message" }).fill("Tell me.");
      await page.keyboard.press("Enter");
      await page.locator("strong", { hasText: "first" }).waitFor();
      proxy.cut();
      await page.getByText("Reconnecting…").first().waitFor();
      const answer = page.locator(".markdown");
      expect(await answer.textContent()).toBe("The first half");
      isCut.resolve();
      proxy.mend();
      await page.getByText("and the other.", { exact: false }).last().waitFor();
      isMended.resolve();
      await page.getByText("Over.", { exact: false }).last().waitFor();
      await page.getByRole("button", { name: "Copy answer" }).waitFor();
      await page.getByText("Reconnecting…").first().waitFor({ state: "detached" });
      const whole = (await answer.textContent()) ?? "";
      expect(whole.match(/first half|other|Over/g)).toEqual(["first half", "other", "Over"]);
      await page.reload();
      await page.getByRole("button", { name: "Copy answer" }).waitFor();
      await answer.waitFor();
      expect(await answer.textContent()).toBe(whole);
      await page.getByRole("button", { name: "Thought" }).click();
      await page.getByText("Half by half", { exact: true }).waitFor();
    });
  } finally {
    await service.stop();
    await gateway.close();
  }
});
