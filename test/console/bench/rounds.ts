/** What a person does with the console, each in a page of its own, measured. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type FrameFindings, readTrace, TRACE_CATEGORIES } from "./read-trace.ts";

const WINDOW: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const TYPED = "While it answers, a person types the next message at the speed of people. ";

/** Works with a page of a browser that never saw the console. */
async function onFreshPage<T>(browser: Browser, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(WINDOW);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Traces what a page does meanwhile. It requests frames all the time, so that a late one is seen. */
async function traced(browser: Browser, page: Page, work: () => Promise<void>): Promise<FrameFindings> {
  await page.evaluate(() => {
    const frame = (): void => void requestAnimationFrame(frame);
    frame();
  });
  await browser.startTracing(page, { categories: [...TRACE_CATEGORIES] });
  await work();
  return readTrace(await browser.stopTracing());
}

/** How an empty chat opens; milliseconds from the beginning of the navigation. */
export interface FirstPage {
  /** Its last script or style sheet has arrived. */
  readonly arrivedMs: number;
  /** A typed letter stands in the message box. */
  readonly usableMs: number;
}

/** Opens an empty chat. */
export function firstPage(browser: Browser, root: string): Promise<FirstPage> {
  return onFreshPage(browser, async (page) => {
    await page.goto(`${root}/app/chat/new`, { waitUntil: "commit" });
    await page.getByRole("textbox", { name: "Message" }).press("a");
    return page.evaluate(() => {
      const usableMs = performance.now();
      const parts = [...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>("head [href], head [src]")];
      const named = new Set(parts.map((part) => ("src" in part ? part.src : part.href)));
      const ends = (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => named.has(name) && /\.(js|css)$/.test(name))
        .map(({ responseEnd }) => responseEnd);
      return { arrivedMs: Math.max(...ends), usableMs };
    });
  });
}

/** How typing went: in a page at rest, and in the same page while an answer streamed in. */
export interface Typing {
  /** What the browser itself takes from a key to a frame. */
  readonly atRest: FrameFindings;
  readonly streaming: FrameFindings;
  /** The longest that the answer stood still while it streamed in. */
  readonly stoodStillMs: number;
}

/** Types in a page at rest, then while an answer of `seconds` streams in, `rate` tokens a second, with formulas and a diagram. */
export function typing(
  browser: Browser,
  root: string,
  { seconds, rate }: { readonly seconds: number; readonly rate: number },
): Promise<Typing> {
  return onFreshPage(browser, async (page) => {
    await page.goto(`${root}/app/chat/new`);
    const box = page.getByRole("textbox", { name: "Message" });
    await box.press("a");
    const atRest = await traced(browser, page, () => typeFor(page, performance.now() + 3_000));
    await box.fill(`paced ${seconds * rate} ${rate}`);
    const streaming = await traced(browser, page, async () => {
      const until = performance.now() + seconds * 1_000;
      await box.press("Enter");
      await page.getByText("nightly").first().waitFor();
      await noteChanges(page);
      await typeFor(page, until);
    });
    // Else something without formulas or diagram was measured.
    await page.locator('[data-diagram="shown"]').waitFor();
    await page.locator("math").first().waitFor();
    const changedAt = await page.evaluate(() =>
      performance.getEntriesByName("answer").map(({ startTime }) => startTime),
    );
    const stoodStillMs = Math.max(...changedAt.map((time, at) => time - (changedAt[at - 1] ?? time)));
    return { atRest, streaming, stoodStillMs };
  });
}

/** Types at the speed of people. `until` is of this process's clock. */
async function typeFor(page: Page, until: number): Promise<void> {
  for (let at = 0; performance.now() < until; at = (at + 1) % TYPED.length) {
    await page.keyboard.type(TYPED.charAt(at));
    await page.waitForTimeout(60);
  }
}

/** Marks each change of the answer in the page's own timeline. */
function noteChanges(page: Page): Promise<void> {
  return page.evaluate(() => {
    const shown = document.querySelector("[role=log]");
    if (shown === null) throw new Error("there is no conversation");
    const changes = new MutationObserver(() => performance.mark("answer"));
    changes.observe(shown, { subtree: true, childList: true, characterData: true });
  });
}

/** How a long conversation opens; milliseconds from the beginning of the navigation. */
export interface Opened {
  /** Its newest message is shown. */
  readonly shownMs: number;
  /** A typed letter stands in the message box. */
  readonly usableMs: number;
  /** While it was scrolled from its end by the wheel. */
  readonly scrolled: FrameFindings;
}

/** Opens the conversation `session`, whose newest message begins with `newest`. */
export function opening(
  browser: Browser,
  root: string,
  { session, newest }: { readonly session: string; readonly newest: string },
): Promise<Opened> {
  return onFreshPage(browser, async (page) => {
    await page.goto(`${root}/app/chat/${session}`, { waitUntil: "commit" });
    await page.getByText(newest).first().waitFor();
    const shownMs = await page.evaluate(() => performance.now());
    await page.getByRole("textbox", { name: "Message" }).press("a");
    const usableMs = await page.evaluate(() => performance.now());
    await page.mouse.move(800, 400);
    const scrolled = await traced(browser, page, async () => {
      for (let turn = 0; turn < 60; turn++) {
        await page.mouse.wheel(0, -300);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
    });
    return { shownMs, usableMs, scrolled };
  });
}
