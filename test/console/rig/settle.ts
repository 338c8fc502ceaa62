import type { Page } from "playwright-core";
import { WAIT_LIMIT_MS } from "../../run/limits.ts";

/**
 * Waits until a screen is complete: no request is open (`inFlight`), something is shown, none of
 * it is a skeleton, nothing moves, and the page has nothing left to do. Throws when that takes too long.
 */
export async function settle(page: Page, inFlight: () => number): Promise<void> {
  const until = performance.now() + WAIT_LIMIT_MS;
  for (let quiet = 0; quiet < 2; ) {
    if (performance.now() > until) throw new Error(`${page.url()} does not settle: ${inFlight()} requests are open`);
    await page.locator("main :is(h1, h2, a, button):visible, h1:visible").first().waitFor();
    const isShown = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 500 })));
      const moving = document.getAnimations().filter(({ playState, effect }) => {
        return playState === "running" && effect?.getTiming().iterations !== Number.POSITIVE_INFINITY;
      });
      const coming = '[role="status"][aria-label="Loading"], span.animate-pulse, main p[aria-busy="true"]';
      return moving.length === 0 && document.querySelector(coming) === null;
    });
    quiet = isShown && inFlight() === 0 ? quiet + 1 : 0;
  }
}
