import type { Page } from "playwright-core";

/** Waits until a screen shows what it has: something of it stands, none of it is a skeleton, and nothing moves. */
export async function settle(page: Page): Promise<void> {
  await page.locator("main :is(h1, h2, a, button):visible, h1:visible").first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector('[role="status"][aria-label="Loading"]') === null &&
      document
        .getAnimations()
        .every((one) => one.playState !== "running" || one.effect?.getTiming().iterations === Infinity),
  );
}
