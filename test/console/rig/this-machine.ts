import { accessSync, constants } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { type BrowserMachine, endsWell } from "./bring-browser.ts";

/** The same browser without windows of its own: opening a page costs half as much processor time. */
const SHELL = "chromium-headless-shell";
/** What people have. */
const WHOLE = ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser", "chrome"];

/** Which is taken where both are installed: the shell where time counts, the whole one where its own speed is measured. */
export type PreferredBrowser = "shell" | "whole";
const APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** This machine. A program named in `CONSOLE_BROWSER` is preferred to what it finds. */
export function thisMachine(preferred: PreferredBrowser = "shell"): BrowserMachine {
  const names = preferred === "shell" ? [SHELL, ...WHOLE] : [...WHOLE, SHELL];
  return {
    installed: () => {
      const named = process.env.CONSOLE_BROWSER;
      return [...(named === undefined ? [] : [named]), ...onPath(names), ...APPLICATIONS.filter(isProgram)];
    },
    downloaded: chromium.executablePath(),
    canInstall: process.getuid?.() === 0 && isProgram("/usr/bin/apt-get"),
    starts: (program) => endsWell(program, ["--version"]),
    download: () => {
      const command = fileURLToPath(new URL("cli.js", import.meta.resolve("playwright-core/package.json")));
      const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" };
      return endsWell(process.execPath, [command, "install", "--no-shell", "chromium"], env);
    },
    install: async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      await endsWell("apt-get", ["update", "-qq"], env);
      for (const name of preferred === "shell" ? [SHELL, "chromium"] : ["chromium", SHELL])
        if (await endsWell("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], env)) return true;
      return false;
    },
  };
}

function onPath(names: readonly string[]): readonly string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
