/** A step of the test command: prints which browser the console's journeys use, and downloads one where there is none. */
import { bringBrowser, NoBrowserError } from "./rig/bring-browser.ts";
import { thisMachine } from "./rig/this-machine.ts";

try {
  console.log(`browser: ${await bringBrowser(thisMachine())}`);
} catch (error) {
  if (!(error instanceof NoBrowserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
