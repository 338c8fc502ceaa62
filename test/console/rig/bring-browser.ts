import { run } from "../../process/run.ts";

/** The machine a browser is looked for on; tests give another one. */
export interface BrowserMachine {
  /** Programs that may be a Chrome or Chromium, the preferred one first: names on the PATH, or paths. */
  installed(): readonly string[];
  /** Where Playwright's own Chromium lies once it has been downloaded. */
  readonly downloaded: string;
  /** Whether packages of the system can be installed: root on a Debian. */
  readonly canInstall: boolean;
  /** Whether a program starts and prints its version. */
  starts(program: string): Promise<boolean>;
  /** Downloads Playwright's Chromium; false where that fails. */
  download(): Promise<boolean>;
  /** Installs Debian's package; false where that fails. */
  install(): Promise<boolean>;
}

/** There is no browser, and none could be downloaded: the message names what to install. */
export class NoBrowserError extends Error {
  override readonly name = "NoBrowserError";
  constructor() {
    super(
      "The console's journeys need a browser: install Chromium or Chrome (Debian: apt-get install chromium-headless-shell), or name its program in CONSOLE_BROWSER.",
    );
  }
}

/**
 * The program of a browser for the console's journeys: an installed Chrome or Chromium, else Playwright's download, else
 * Debian's package where we are root. Rejects with `NoBrowserError` where none of these starts.
 */
export async function bringBrowser(machine: BrowserMachine): Promise<string> {
  const found = await firstThatStarts(machine, [...machine.installed(), machine.downloaded]);
  if (found !== undefined) return found;
  if (await machine.download()) {
    const downloaded = await firstThatStarts(machine, [machine.downloaded]);
    if (downloaded !== undefined) return downloaded;
  }
  if (machine.canInstall && (await machine.install())) {
    const installed = await firstThatStarts(machine, machine.installed());
    if (installed !== undefined) return installed;
  }
  throw new NoBrowserError();
}

async function firstThatStarts(machine: BrowserMachine, programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) if (await machine.starts(program)) return program;
  return undefined;
}

/** Whether a program ends well. One that is not there does not. */
export async function endsWell(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const { code } = await run(program, args, { cwd: import.meta.dirname, ...(env && { env }) });
    return code === 0;
  } catch {
    return false;
  }
}
