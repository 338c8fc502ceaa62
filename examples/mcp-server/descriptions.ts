import { readFileSync, watchFile } from "node:fs";
import { z } from "zod";

/** What tools of this server are described as, by their names. */
export type Descriptions = Readonly<Record<string, string>>;

const shape = z.record(z.string(), z.string());

/** Reads the file. @throws Error where it is not there, or not a map of texts */
export function readDescriptions(file: string): Descriptions {
  return shape.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Calls back with what the file says after every change of it. A file that is half written is left for the next look. */
export function watchDescriptions(file: string, onChange: (descriptions: Descriptions) => void): void {
  let last = JSON.stringify(readDescriptions(file));
  watchFile(file, { interval: 200, persistent: false }, () => {
    let found: Descriptions;
    try {
      found = readDescriptions(file);
    } catch {
      return;
    }
    const text = JSON.stringify(found);
    if (text === last) return;
    last = text;
    onChange(found);
  });
}
