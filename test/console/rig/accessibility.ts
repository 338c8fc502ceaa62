import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";

/** On demand (`pnpm proof:screens`) the width between the two is looked at, and the narrowest in the dark theme: for the time it takes. */
export const EVERY_WIDTH = process.env.EVERY_WIDTH === "1";
const NARROWEST = 320;
const WIDTHS = EVERY_WIDTH ? [NARROWEST, 768, 1440] : [NARROWEST, 1440];
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
      const options = { resultTypes: ["violations" as const], preload: false, ...(runOnly && { runOnly }) };
      return (await inPage.run(options)).violations;
    },
    only as string[] | undefined,
  );
}

/** Without transitions colours change with the theme at once: axe looks at how a page is, not at how it comes there. */
async function withoutTransitions<T>(page: Page, look: () => Promise<T>): Promise<T> {
  const style = await page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition: none !important }");
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  });
  try {
    return await look();
  } finally {
    await style.evaluate((sheet) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    });
    await style.dispose();
  }
}

/** What came into sight a moment ago may be half transparent still. */
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

/**
 * Controls that reach beyond the side of the window. The window itself may fit all the same, where a frame hides what is wider
 * than it. What scrolls sideways on purpose has a class for it; computed styles do not tell, since `overflow-y: auto` alone
 * makes both axes scroll.
 */
function cutOffControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
    const isCutOff = (control: Element): boolean => {
      const { left, right, width } = control.getBoundingClientRect();
      // One that only screen readers have is a pixel wide.
      if (width <= 1 || (left >= -1 && right <= innerWidth + 1)) return false;
      return control.checkVisibility() && control.closest(".overflow-x-auto, .overflow-auto") === null;
    };
    return controls
      .filter(isCutOff)
      .map((control) => `${control.tagName} ${control.textContent} (${control.className})`);
  });
}

/**
 * What axe finds on a page as it is, and how much larger than the window it is: nothing is empty. In both themes, where the window
 * is not the narrowest: the colours there are those of any other.
 */
export async function violationsInThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const width = page.viewportSize()?.width;
  const at = `${width ?? "?"} px`;
  const themes = THEMES.filter((theme) => EVERY_WIDTH || theme === "light" || width !== NARROWEST);
  await withoutTransitions(page, async () => {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await animationsEnded(page);
      for (const { id, help, nodes } of await violationsOn(page, colorScheme === "dark" ? OF_COLOURS : undefined))
        for (const node of nodes)
          found.push(`${at}, ${colorScheme}: ${id}, ${help}: ${node.html}\n${node.failureSummary}`);
    }
    await page.emulateMedia({ colorScheme: null });
  });
  const [wider, longer] = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight] as const;
  });
  for (const control of await cutOffControls(page)) found.push(`${at}: cut off at the side: ${control}`);
  if (wider > 0) found.push(`${at}: ${wider} px wider than the window`);
  // Screens scroll inside of the frame: else its bars go away, and below them is nothing.
  if (longer > 0) found.push(`${at}: the window itself scrolls by ${longer} px`);
  return found;
}

/** The same at every width that is looked at. */
export async function violationsAtAllWidths(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    found.push(...(await violationsInThemes(page)));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
}
