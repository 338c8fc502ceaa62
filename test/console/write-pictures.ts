/**
 * Takes the pictures of the documentation from a scripted home, light and dark: `docs/pictures/<name>-<theme>.webp`, checked
 * in. Run it when a screen that is shown there has changed, and look at what it wrote.
 */
import { builtConsole } from "./rig/built-console.ts";
import { startConsoleRig } from "./rig/console-rig.ts";
import { startSeeded } from "./rig/seed.ts";
import { writePicture } from "./rig/write-picture.ts";

const SCREENS = {
  begin: "chat/new",
  conversation: "chat/export-1",
  approvals: "approvals",
  board: "work/board",
  telemetry: "observe",
};

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
