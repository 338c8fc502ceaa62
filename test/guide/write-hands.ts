/**
 * `pnpm guide:hands`: walks through the hands for real, in the console and on the command line, and writes what was seen into
 * `docs/guides/hands.md` and `docs/pictures/hands-*.webp`. Ends with an error where something is not as the guide says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { builtConsole } from "../console/rig/built-console.ts";
import { startConsoleRig } from "../console/rig/console-rig.ts";
import { writePicture } from "../console/rig/write-picture.ts";
import { fillBlocks } from "./guide-page.ts";
import { SCRIPT } from "./hands-model.ts";
import { inTheConsole } from "./in-the-console.ts";
import { onTheCommandLine } from "./on-the-command-line.ts";
import { GUIDE_SETTINGS, makePlace } from "./place.ts";

const guide = new URL("../../docs/guides/hands.md", import.meta.url);
const began = performance.now();
const report = (text: string): void =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${text}`);

const texts = new Map([
  ["settings", GUIDE_SETTINGS.trimEnd()],
  ["script", SCRIPT],
]);
{
  await using place = await makePlace();
  await onTheCommandLine(place, (block, text) => {
    texts.set(block, text);
    report(`on the command line: ${block}`);
  });
}
if (!process.argv.includes("--without-console")) {
  await using rig = await startConsoleRig((await builtConsole()).folder);
  await using place = await makePlace();
  await inTheConsole(place, rig, async (page, name) => {
    await page.evaluate(nameFolders, { from: place.root, to: "/home/ann" });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await writePicture(page, `${name}-${colorScheme}.webp`);
    }
    await page.emulateMedia({ colorScheme: "light" });
    report(`in the console: ${name}`);
  });
}
writeFileSync(guide, fillBlocks(readFileSync(guide, "utf8"), texts));

/** Folders are called in the pictures as in the text. */
function nameFolders({ from, to }: { readonly from: string; readonly to: string }): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    if (text.nodeValue?.includes(from) === true) text.nodeValue = text.nodeValue.replaceAll(from, to);
}
