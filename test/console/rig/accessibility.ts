import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";

/** The width between the two is looked at on demand (`pnpm proof:screens`), for the time that it takes. */
export const EVERY_WIDTH = process.env["EVERY_WIDTH"] === "1";
const WIDTHS = EVERY_WIDTH ? [320, 768, 1440] : [320, 1440];
const THEMES = ["light", "dark"] as const;
/** Of axe's rules, those that a theme can break; everything else is the same in both. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** What axe finds on a page, by all its rules or only some. The page keeps axe as long as it is not loaded anew. */
async function violationsOn(page: Page, only?: readonly string[]): Promise<Result[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async (rules) => {
      const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
      const runOnly = rules && { type: "rule" as const, values: [...rules] };
      return (await inPage.run({ resultTypes: ["violations"], ...(runOnly && { runOnly }) })).violations;
    },
    only as string[] | undefined,
  );
}

/** Colours change with the theme over some milliseconds, and what inherits one changes after it. */
async function animationsEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let quiet = 0; quiet < 2; ) {
      await new Promise(requestAnimationFrame);
      const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
      const running = ending.filter(({ playState }) => playState === "running");
      quiet = running.length === 0 ? quiet + 1 : 0;
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  });
}

/** What axe finds in both themes on a page as it is, and how much larger than the window it is: nothing is empty. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const at = `${page.viewportSize()?.width ?? "?"} px`;
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await animationsEnded(page);
    for (const { id, help, nodes } of await violationsOn(page, colorScheme === "dark" ? OF_COLOURS : undefined))
      for (const node of nodes)
        found.push(`${at}, ${colorScheme}: ${id}, ${help}: ${node.html}\n${node.failureSummary}`);
  }
  await page.emulateMedia({ colorScheme: null });
  const [wider, longer] = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight] as const;
  });
  if (wider > 0) found.push(`${at}: ${wider} px wider than the window`);
  // Screens scroll inside of the frame: else its bars go away, and below them is nothing.
  if (longer > 0) found.push(`${at}: the window itself scrolls by ${longer} px`);
  return found;
}

/** The same at three widths. */
export async function violationsAtAllWidths(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    found.push(...(await violationsInBothThemes(page)));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
}
