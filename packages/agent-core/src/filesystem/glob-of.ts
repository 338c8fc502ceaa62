import picomatch from "picomatch";

/**
 * Whether a file is meant by a glob. One without a slash is compared with the name alone, in whatever folder; others with
 * the path below the folder that is looked in. A blank one means every file.
 */
export function globOf(glob: string): (path: string, name: string) => boolean {
  const trimmed = glob.trim().replace(/^\.\//, "");
  if (trimmed === "") return () => true;
  const matches = picomatch(trimmed, { dot: true });
  return trimmed.includes("/") ? (path) => matches(path) : (_path, name) => matches(name);
}
