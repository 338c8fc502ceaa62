import type { Page } from "playwright-core";
import type { PNG } from "pngjs";
import { type Clock, systemClock } from "../../../packages/agent-core/src/clock/index.ts";
import type { ConsoleRig, WatchedPage } from "./console-rig.ts";
import { startSeeded } from "./seed.ts";
import { settle } from "./settle.ts";
import { smallPicture } from "./small-picture.ts";

/** The main screens, by their names and addresses. */
const SCREENS: Readonly<Record<string, string>> = {
  begin: "chat/new",
  conversation: "chat/trip-1",
  approvals: "approvals",
  runs: "tasks",
  jobs: "work/jobs",
  board: "work/board",
  inbox: "work/inbox",
  extensions: "extensions/mcp",
  skills: "extensions/skills",
  telemetry: "observe/telemetry",
  prompts: "observe/prompts",
  settings: "settings",
  connections: "settings/connections",
  setup: "setup",
};
const THEMES = ["light", "dark"] as const;

/** A small picture of a main screen. */
export interface Snapshot {
  /** `approvals-dark`. */
  readonly name: string;
  readonly picture: PNG;
}

/** Takes a main screen in both themes; `change` is done to the page before. */
export type TakeSnapshots = (screen: string, change?: (page: Page) => Promise<unknown>) => Promise<readonly Snapshot[]>;

/** Names of the main screens. */
export const MAIN_SCREENS: readonly string[] = Object.keys(SCREENS);

/** The folder with the pictures that are checked in. */
export const SNAPSHOTS = new URL("../snapshots/", import.meta.url).pathname;

/** Works with a page of a service that was used the same way at the same time, whenever that is done. */
export async function withSnapshots(rig: ConsoleRig, work: (take: TakeSnapshots) => Promise<void>): Promise<void> {
  let now = Date.UTC(2026, 2, 2, 9, 41);
  const clock: Clock = { ...systemClock(), now: () => now };
  const service = await startSeeded(rig, {
    clock,
    beforeEach: () => {
      now += 4 * 60_000;
    },
  });
  try {
    const options = { reducedMotion: "reduce", locale: "en-GB", timezoneId: "UTC" } as const;
    await rig.use("snapshots", service.url, options, async (watched) => {
      await watched.page.clock.setFixedTime(now + 60_000);
      await work((screen, change) => takeInBothThemes(watched, screen, change));
    });
  } finally {
    await service.stop();
  }
}

async function takeInBothThemes(
  { page, visit, watch }: WatchedPage,
  screen: string,
  change: Parameters<TakeSnapshots>[1],
): Promise<readonly Snapshot[]> {
  const taken: Snapshot[] = [];
  await visit(SCREENS[screen] ?? screen);
  await change?.(page);
  // What has the focus differs between runs.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await settle(page, watch.inFlight);
    const picture = smallPicture(await page.screenshot({ animations: "disabled" }));
    taken.push({ name: `${screen}-${colorScheme}`, picture });
  }
  return taken;
}
