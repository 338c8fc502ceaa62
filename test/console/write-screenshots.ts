/**
 * Takes a screenshot of every screen, in both themes, as a desktop and as a phone, of a service that has something to show:
 * into the folder `screenshots` of the repository, which git ignores. To be looked at as a designer would.
 */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { builtConsole } from "./rig/built-console.ts";
import { startConsoleRig } from "./rig/console-rig.ts";
import { startSeeded } from "./rig/seed.ts";
import { visitEveryScreen } from "./rig/visit-every-screen.ts";

const out = new URL("../../screenshots/", import.meta.url).pathname;
const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

rmSync(out, { recursive: true, force: true });
await using rig = await startConsoleRig((await builtConsole()).folder);
await using service = await startSeeded(rig, { config: "filesystem: {code_pane: true}\n" });
for (const [device, options] of Object.entries(devices)) {
  for (const colorScheme of ["light", "dark"] as const) {
    const folder = path.join(out, `${device}-${colorScheme}`);
    mkdirSync(folder, { recursive: true });
    await using watched = await rig.open(service.url, { ...options, colorScheme });
    const { page, watch } = watched;
    const screens = await visitEveryScreen(watched, `${service.url}/app/`, async (screen) => {
      await page.screenshot({ path: path.join(folder, `${screen.replaceAll(/\W+/g, "-")}.png`) });
    });
    console.log(`${folder}: ${screens.length}`);
    for (const problem of watch.problems) console.error(problem);
    if (watch.problems.length > 0) process.exitCode = 1;
  }
}
