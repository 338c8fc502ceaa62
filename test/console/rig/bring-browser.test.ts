import { expect, test } from "vitest";
import { type BrowserMachine, bringBrowser, endsWell, NoBrowserError } from "./bring-browser.ts";

/** A machine on which these programs start, and what was done to it. */
function machine(working: readonly string[], options: Partial<BrowserMachine> = {}) {
  const done: string[] = [];
  const starting = new Set(working);
  const about: BrowserMachine = {
    installed: () => ["/usr/bin/chromium", "/usr/bin/google-chrome"],
    downloaded: "/cache/chrome",
    canInstall: false,
    starts: async (program) => starting.has(program),
    download: async () => {
      done.push("download");
      return false;
    },
    install: async () => {
      done.push("install");
      starting.add("/usr/bin/chromium");
      return true;
    },
    ...options,
  };
  return { about, done, starting };
}

test("an installed browser that starts is taken as it is, and nothing is fetched", async () => {
  const { about, done } = machine(["/usr/bin/google-chrome", "/cache/chrome"]);
  expect(await bringBrowser(about)).toBe("/usr/bin/google-chrome");
  expect(done).toEqual([]);
});

test("without an installed one it is Playwright's download, fetched once", async () => {
  expect(await bringBrowser(machine(["/cache/chrome"]).about)).toBe("/cache/chrome");
  const { about, starting } = machine([], {
    download: async () => {
      starting.add("/cache/chrome");
      return true;
    },
  });
  expect(await bringBrowser(about)).toBe("/cache/chrome");
});

test("where a download does not work or does not start, Debian's package is installed if we are root", async () => {
  const { about, done } = machine([], { canInstall: true });
  expect(await bringBrowser(about)).toBe("/usr/bin/chromium");
  expect(done).toEqual(["download", "install"]);
  const library = machine([], { canInstall: true, download: async () => true });
  expect(await bringBrowser(library.about)).toBe("/usr/bin/chromium");
});

test("where none can be downloaded, one line names what to install", async () => {
  const { about, done } = machine([]);
  const error = await bringBrowser(about).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NoBrowserError);
  expect(String(error)).toMatch(/^NoBrowserError: .*apt-get install chromium.*CONSOLE_BROWSER\.$/);
  expect(done).toEqual(["download"]);
});

test("a program that is not there, or fails, does not start", async () => {
  expect(await endsWell("/nowhere/chromium", ["--version"])).toBe(false);
  expect(await endsWell(process.execPath, ["-e", "process.exit(3)"])).toBe(false);
  expect(await endsWell(process.execPath, ["--version"])).toBe(true);
});
