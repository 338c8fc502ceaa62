import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";

const WIDTHS = [320, 768, 1440];
const THEMES = ["light", "dark"] as const;

/** What axe finds on a page. The page keeps axe as long as it is not loaded anew. */
export async function violationsOn(page: Page): Promise<Result[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
    return (await inPage.run({ resultTypes: ["violations"] })).violations;
  });
}

/** Colours change with the theme over some milliseconds. */
async function animationsEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** What axe finds on a page at three widths in both themes, and how much wider than the window it is: nothing is empty. */
export async function violationsAtAllWidths(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await animationsEnded(page);
      const at = `${width} px, ${colorScheme}`;
      for (const { id, nodes } of await violationsOn(page))
        for (const node of nodes) found.push(`${at}: ${id}: ${node.html}\n${node.failureSummary}`);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wider > 0) found.push(`${at}: ${wider} px wider than the window`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return found;
}
