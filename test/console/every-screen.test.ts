/** Every screen of the console that links lead to, in a real browser, and the console behind a proxy. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestService } from "../../apps/server/src/testing/test-service.ts";
import { chunkEvent, endEvents, localGateway } from "../../packages/agent-core/src/testing/index.ts";
import { EVERY_WIDTH, violationsInThemes } from "./rig/accessibility.ts";
import { builtConsole } from "./rig/built-console.ts";
import { type ConsoleRig, startConsoleRig, type WatchedPage } from "./rig/console-rig.ts";
import { reverseProxy } from "./rig/reverse-proxy.ts";
import { startSeeded } from "./rig/seed.ts";
import { settle } from "./rig/settle.ts";
import { visitEveryScreen } from "./rig/visit-every-screen.ts";

let rig: ConsoleRig;
let seeded: TestService;

beforeAll(async () => {
  rig = await startConsoleRig((await builtConsole()).folder);
  // One that waits for a value: it has a page of its own, and nothing is started.
  const server =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the configuration
    "{ name: tracker, url: 'https://mcp.tracker.example/v1', headers: { Authorization: 'Bearer ${TOKEN}' } }";
  seeded = await startSeeded(rig, {
    config: `filesystem: {code_pane: true}\nmcp: { enabled: true, servers: [${server}] }\n`,
  });
});

afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await seeded?.stop();
});

interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** Looks at every screen in each size; it is opened in the first. Returns their addresses. */
async function lookAtEveryScreen(
  watched: WatchedPage,
  root: string,
  sizes: readonly [PageSize, ...PageSize[]],
): Promise<readonly string[]> {
  const { page, watch } = watched;
  const found: string[] = [];
  const screens = await visitEveryScreen(watched, root, async (screen) => {
    for (const size of sizes) {
      await page.setViewportSize(size);
      await settle(page, watch.inFlight);
      found.push(...(await violationsInThemes(page)).map((violation) => `${screen} at ${violation}`));
    }
    await page.setViewportSize(sizes[0]);
  });
  expect(found).toEqual([]);
  return screens;
}

test("in windows every screen fits and is accessible to axe, in both themes", async () => {
  const wide = { width: 1440, height: 900 };
  const sizes = [wide, ...(EVERY_WIDTH ? [{ width: 768, height: 1024 }] : [])] as const;
  await rig.use("in windows", seeded.url, { viewport: wide, reducedMotion: "reduce" }, async (watched) => {
    expect(await lookAtEveryScreen(watched, `${seeded.url}/app/`, sizes)).toEqual(
      expect.arrayContaining(["/app/approvals", "/app/extensions/mcp/tracker", "/app/files", "/app/files/changes"]),
    );
  });
});

test("on a phone of 320 px and below a proxy's prefix it does too, in the light theme, and nothing outside of the prefix is requested", async () => {
  const size = { width: 320, height: 640 };
  await using proxy = await reverseProxy(seeded.url, "/agents/one");
  const phone = { viewport: size, hasTouch: true, reducedMotion: "reduce" } as const;
  await rig.use("on a phone below a prefix", proxy.url, phone, async (watched) => {
    const { page } = watched;
    const statuses: [url: string, status: number][] = [];
    page.on("response", (response) => void statuses.push([response.url(), response.status()]));
    const screens = await lookAtEveryScreen(watched, `${proxy.url}/app/`, [size]);
    // A deep address is opened anew as well as any other.
    await watched.visit("work/board");
    await page.getByRole("heading", { level: 1, name: "Work" }).waitFor();
    expect(screens).toContain("/agents/one/app/approvals");
    expect(statuses).toContainEqual([`${proxy.url}/api/events`, 200]);
  });
  expect(proxy.strayed).toEqual([]);
});

test("the page of the design's parts fits and is accessible to axe, in both themes", async () => {
  const found: string[] = [];
  await rig.use("the design's parts", seeded.url, { reducedMotion: "reduce" }, async ({ page }) => {
    await page.goto(`${seeded.url}/app/design`);
    for (const theme of ["Dark", "Light"]) {
      await page.getByRole("button", { name: theme }).click();
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 900 });
        found.push(...(await violationsInThemes(page)).map((violation) => `chosen ${theme}: ${violation}`));
      }
    }
  });
  expect(found).toEqual([]);
});

test("a journey finds nothing that a journey before it stored, and no other window", async () => {
  await rig.run({
    title: "stores",
    async run({ page, visit }) {
      await visit("approvals");
      await (await page.context().newPage()).goto(page.url());
      await page.context().addCookies([{ name: "mark", value: "one", url: page.url() }]);
      await page.evaluate(async () => {
        localStorage.setItem("mark", "one");
        sessionStorage.setItem("mark", "one");
        await new Promise((resolve, reject) =>
          Object.assign(indexedDB.open("mark"), { onsuccess: resolve, onerror: reject }),
        );
      });
    },
  });
  await rig.run({
    title: "looks",
    async run({ page, visit }) {
      const windows = page.context().pages().length;
      await visit("approvals");
      const stored = await page.evaluate(async () => ({
        marks: [localStorage.getItem("mark"), sessionStorage.getItem("mark")],
        databases: (await indexedDB.databases()).map(({ name }) => name),
      }));
      expect(stored).toEqual({ marks: [null, null], databases: [] });
      expect(await page.context().cookies()).toEqual([]);
      // Its own, and the one that keeps the site's process.
      expect(windows).toBe(2);
    },
  });
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
