import { type BigIntStats, promises as files } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Identity, identityOf } from "./identity.ts";

/** Milliseconds that a look at the places counts. */
const LOOK_MS = 1_000;
/** Files of the places that are compared with a file of several names. */
const MAX_FILES = 20_000;
/**
 * Its files are no secret, and are the very files of any other project where a package manager links them from its store: kept
 * from the file tools, a project's own packages would not exist. They would also be nearly all there is to look at.
 */
const THIRD_PARTY = "node_modules";

/** The places as they were at one moment. */
export interface Look {
  readonly at: number;
  readonly places: ReadonlySet<Identity>;
  /** By folder, the names in it that are places. */
  readonly names: ReadonlyMap<Identity, ReadonlySet<string>>;
}

/**
 * Folders and files that nothing reaches, whatever a project holds: home, configuration, stores, the program (FE4). They
 * are known by device and number, so a link, a mount or another spelling of their path leads to the same answer.
 */
export class ProtectedPlaces {
  readonly paths: readonly string[];
  readonly #now: () => number;
  #look: Promise<Look> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #files: { readonly at: number; readonly identities: Promise<ReadonlySet<Identity>> } | undefined;

  constructor(paths: readonly string[], now: () => number = () => performance.now()) {
    this.paths = paths;
    this.#now = now;
  }

  /** The places as they are on the disk now. */
  look(): Promise<Look> {
    const now = this.#now();
    if (this.#look === undefined || now - this.#lookedAt > LOOK_MS) {
      this.#lookedAt = now;
      this.#look = this.#lookAgain(now);
    }
    return this.#look;
  }

  /**
   * The files of the places, but those of third-party packages, that have another name somewhere: what they hold is not reached
   * by that one either.
   */
  sharedFiles(): Promise<ReadonlySet<Identity>> {
    const now = this.#now();
    if (this.#files === undefined || now - this.#files.at > LOOK_MS)
      this.#files = { at: now, identities: filesOfSeveralNames(this.paths) };
    return this.#files.identities;
  }

  async #lookAgain(at: number): Promise<Look> {
    const places = new Set<Identity>();
    const names = new Map<Identity, Set<string>>();
    await Promise.all(
      this.paths.map(async (path) => {
        const real = await files.realpath(path).catch(() => path);
        const [stat, folder] = await Promise.all([statOf(real), statOf(dirname(real))]);
        if (stat !== undefined) places.add(identityOf(stat));
        if (folder === undefined) return;
        const inFolder = identityOf(folder);
        names.set(inFolder, (names.get(inFolder) ?? new Set()).add(basename(real)));
      }),
    );
    return { at, places, names };
  }
}

function statOf(path: string): Promise<BigIntStats | undefined> {
  return files.lstat(path, { bigint: true }).catch(() => undefined);
}

async function filesOfSeveralNames(paths: readonly string[]): Promise<ReadonlySet<Identity>> {
  const found = new Set<Identity>();
  const folders = [...paths];
  let looked = 0;
  for (let path = folders.shift(); path !== undefined && looked < MAX_FILES; path = folders.shift()) {
    if (basename(path) === THIRD_PARTY) continue;
    const stat = await statOf(path);
    looked++;
    if (stat?.isFile() === true && stat.nlink > 1n) found.add(identityOf(stat));
    if (stat?.isDirectory() !== true) continue;
    for (const name of await files.readdir(path).catch(() => [])) folders.push(join(path, name));
  }
  return found;
}
