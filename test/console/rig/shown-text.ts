import type { Page } from "playwright-core";

/**
 * Has `page.getByText` look at what is shown: the copies that live regions hold for screen readers (`sr-only`) come and go
 * while an answer streams in, and a text may be there once or twice. Where a copy itself is meant, its
 * region is named: `page.getByRole("status").getByText(…)`.
 */
export function findShownText(page: Page): void {
  const anywhere = page.getByText.bind(page);
  page.getByText = (text, options) => anywhere(text, options).and(page.locator(":not(.sr-only, .sr-only *)"));
}
