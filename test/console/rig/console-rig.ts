import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from "../../../apps/server/src/testing/test-service.ts";
import { createOperatorClient } from "../../../packages/operator-api/src/client.ts";
import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { bringBrowser } from "./bring-browser.ts";
import type { Journey } from "./journey.ts";
import { type KeptProfile, keepProfile } from "./kept-profile.ts";
import { settle } from "./settle.ts";
import { findShownText } from "./shown-text.ts";
import { thisMachine } from "./this-machine.ts";
import { type PageWatch, watchPage } from "./watch-page.ts";

/**
 * The last list of features counts, so those of Playwright's that concern a test are named again. The list below the address
 * bar is a page of its own, loaded with each window: a third of what a page in a window of its own costs.
 */
const DISABLED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled"],
  ...["PaintHolding", "DestroyProfileOnBrowserClose", "AvoidUnnecessaryBeforeUnloadCheckSync"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "ThirdPartyStoragePartitioning"],
  ...["MediaRouter", "LensOverlay", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
];
/**
 * A page of a test lives for seconds: what optimizing its code takes is a fifth of its processor time, and comes back in none.
 * What scripts do is the same with V8's other tiers.
 */
const SCRIPT_FLAGS = "--no-maglev --no-turbofan";
const screenshots = new URL("../../../.cache/journeys/", import.meta.url).pathname;

/** A page that is watched. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  readonly watch: PageWatch;
  /** Opens `screen` of the console and waits until it is there. */
  visit(screen: string): Promise<void>;
}

/** One browser, and services with a built console. */
export interface ConsoleRig extends AsyncDisposable {
  readonly browser: Browser;
  /** The service that journeys share: open, scripted model, `current_time` needs approval. */
  readonly service: TestService;
  start(options?: TestServiceOptions): Promise<TestService>;
  /** A page with a profile of its own on the console below `url`. */
  open(url: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /**
   * Works with such a page. Rejects where the work fails or something went wrong on the page, with what was seen last:
   * the address, the problems, and a screenshot named after `title`.
   */
  use(
    title: string,
    url: string,
    options: BrowserContextOptions,
    work: (watched: WatchedPage) => Promise<void>,
  ): Promise<void>;
  /** Goes a journey, in the profile that journeys share. */
  run(journey: Journey): Promise<void>;
}

/**
 * Starts browser and service for a built console in `folder`; `journeys` are options of the profile that journeys share. Rejects
 * with `NoBrowserError` where there is none.
 */
export async function startConsoleRig(folder: string, journeys?: BrowserContextOptions): Promise<ConsoleRig> {
  const start = (options: TestServiceOptions = {}): Promise<TestService> =>
    startTestService({ ui: "console", consoleDirectory: folder, ...options });
  const launch = async (): Promise<Browser> =>
    chromium.launch({
      executablePath: await bringBrowser(thisMachine()),
      args: [
        "--disable-dev-shm-usage",
        `--disable-features=${DISABLED_FEATURES.join(",")}`,
        `--js-flags=${SCRIPT_FLAGS}`,
        // One process for the pages of a site in a profile: opened one after the other they share the compiled code.
        "--process-per-site",
      ],
      // As people's browsers do: pages that were left are kept, with what they hold.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
  const [browser, service] = await Promise.all([
    launch(),
    start({ config: "enforcement: {require_approval: [current_time]}\n", env: { SVC_HEADLESS_SETUP: "true" } }),
  ]);
  const newProfile = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(WAIT_LIMIT_MS);
    return context;
  };
  const open = async (url: string, options?: BrowserContextOptions): Promise<WatchedPage> => {
    const context = await newProfile(options);
    return watched(await context.newPage(), url, () => context.close());
  };
  const use: ConsoleRig["use"] = async (title, url, options, work) => {
    await using page = await open(url, options);
    await workOn(page, title, work);
  };
  let profile: Promise<KeptProfile> | undefined;
  const run = async ({ title, service: its, run: go }: Journey): Promise<void> => {
    await using own = its === undefined ? undefined : await start(its);
    const at = own ?? service;
    const token = /token: ([\w-]+)/.exec(its?.config ?? "")?.[1];
    const operator = createOperatorClient({ baseUrl: at.url, ...(token !== undefined && { token }) });
    profile ??= newProfile(journeys).then((context) => keepProfile(context, `${service.url}/healthz`));
    const { page: opened, end } = await (await profile).open(at.url);
    await using itsPage = await watched(opened, at.url, end);
    await workOn(itsPage, title, ({ page, visit, watch }) =>
      go({ page, visit, operator, service: at, expectStatus: watch.expectStatus }),
    );
  };
  return {
    browser,
    service,
    start,
    open,
    use,
    run,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service.stop();
    },
  };
}

async function watched(page: Page, url: string, end: () => Promise<void>): Promise<WatchedPage> {
  findShownText(page);
  const watch = await watchPage(page, new URL(url).origin);
  return {
    page,
    watch,
    async visit(screen) {
      await page.goto(`${url}/app/${screen}`);
      await settle(page, watch.inFlight);
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Rejects where `work` does or something went wrong on the page, with what was seen last. */
async function workOn(page: WatchedPage, title: string, work: (page: WatchedPage) => Promise<void>): Promise<void> {
  try {
    await work(page);
    if (page.watch.problems.length > 0) throw new Error("something went wrong on the page");
  } catch (error) {
    throw new Error(`${String(error)}\n${await lastSeen(page.page, page.watch, title)}`, { cause: error });
  }
}

async function lastSeen(page: Page, { problems }: PageWatch, title: string): Promise<string> {
  mkdirSync(screenshots, { recursive: true });
  const screenshot = path.join(screenshots, `${title.replaceAll(/\W+/g, "-")}.png`);
  await page.screenshot({ path: screenshot });
  return [`at ${page.url()}`, `seen: ${screenshot}`, ...problems].join("\n");
}
