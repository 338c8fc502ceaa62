import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";

const out = new URL("../../../docs/pictures/", import.meta.url).pathname;

/** Takes a picture of the documentation: what the page shows, as `docs/pictures/<name>`. */
export async function writePicture(page: Page, name: string): Promise<void> {
  // What has the focus differs between runs.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const bytes = Buffer.from(data, "base64");
  mkdirSync(out, { recursive: true });
  writeFileSync(path.join(out, name), bytes);
  console.log(`${name}  ${Math.round(bytes.length / 1_000)} kB`);
}
