/**
 * Takes the pictures of the documentation from a scripted home, light and dark: `docs/pictures/<name>-<theme>.webp`, checked
 * in. Run it when a screen that is shown there has changed, and look at what it wrote.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { builtConsole } from "./rig/built-console.ts";
import { startConsoleRig } from "./rig/console-rig.ts";
import { startSeeded } from "./rig/seed.ts";

const out = new URL("../../docs/pictures/", import.meta.url).pathname;
const SCREENS = {
  begin: "chat/new",
  conversation: "chat/export-1",
  approvals: "approvals",
  board: "work/board",
  telemetry: "observe",
};

mkdirSync(out, { recursive: true });
await using rig = await startConsoleRig((await builtConsole()).folder);
await using service = await startSeeded(rig);
for (const colorScheme of ["light", "dark"] as const) {
  await using watched = await rig.open(service.url, { viewport: { width: 1180, height: 740 }, colorScheme });
  const { page, visit } = watched;
  for (const [name, screen] of Object.entries(SCREENS)) {
    await visit(screen);
    await writePicture(page, `${name}-${colorScheme}.webp`);
  }
  await visit("tasks");
  await page
    .getByRole("link", { name: /nightly export/ })
    .first()
    .click();
  // The answer is drawn by a part that is loaded on demand.
  await page.getByRole("heading", { name: "What went wrong" }).waitFor();
  await page.getByRole("region", { name: "Timeline" }).evaluate((timeline) => timeline.scrollIntoView());
  await writePicture(page, `run-${colorScheme}.webp`);
}

async function writePicture(page: Page, name: string): Promise<void> {
  // What has the focus differs between runs.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const bytes = Buffer.from(data, "base64");
  writeFileSync(path.join(out, name), bytes);
  console.log(`${name}  ${Math.round(bytes.length / 1_000)} kB`);
}
