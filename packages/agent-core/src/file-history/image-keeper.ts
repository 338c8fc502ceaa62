/**
 * Keeps what files held (FC5, FC6): decides what may be kept, stays within the bound, and gives up what no change needs.
 */
import type { Redactor } from "../redaction/index.ts";
import type { ChangeStore, ImageRow } from "./change-store.ts";
import type { IrreversibleReason } from "./file-change.ts";
import { FileHistoryError } from "./file-history-error.ts";
import type { FileState } from "./file-state.ts";
import type { ImageFiles } from "./image-files.ts";

export interface ImageKeeperOptions {
  readonly store: ChangeStore;
  readonly files: ImageFiles;
  /** Asked at each use; 0: nothing is kept. */
  readonly limitBytes: () => number;
  readonly redactor: Pick<Redactor, "known">;
  readonly now: () => number;
}

/** What was kept of a file, until `release`. */
export interface KeptImage {
  /** Undefined: what the file held is kept, or it held nothing. */
  readonly reason: IrreversibleReason | undefined;
  readonly image: ImageRow | undefined;
  release(): void;
}

const BATCH = 200;
/** Milliseconds after which a file that no row names is one that a kill left. */
const LEFT_MS = 3_600_000;

export class ImageKeeper {
  readonly #options: ImageKeeperOptions;
  #bytes: number | undefined;

  constructor(options: ImageKeeperOptions) {
    this.#options = options;
  }

  /** Bytes of all images on the disk, and the bound. */
  async usage(): Promise<{ readonly bytes: number; readonly limit: number }> {
    this.#bytes ??= await this.#options.store.imageBytes();
    return { bytes: this.#bytes, limit: this.#options.limitBytes() };
  }

  /** Why what a file holds would not be kept. Nothing is written. */
  refusal(state: FileState | undefined): IrreversibleReason | undefined {
    const limit = this.#options.limitBytes();
    if (limit <= 0) return "history_off";
    if (state === undefined) return undefined;
    if (state.isLink) return "link";
    if (state.content === undefined) return "too_large";
    return this.#holdsSecret(state.content) ? "secret" : undefined;
  }

  /** Keeps what a file holds. @throws FileHistoryError no-room */
  async keep(state: FileState | undefined): Promise<KeptImage> {
    const reason = this.refusal(state);
    if (reason !== undefined || state?.content === undefined) return { reason, image: undefined, release() {} };
    const { store, files, limitBytes, now } = this.#options;
    const { digest } = state;
    const bytes = await files
      .keep(digest, state.content, (one) => store.hasImage(one))
      .catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOSPC" || error.code === "EDQUOT"
          ? new FileHistoryError(
              "file-history.no-room",
              "there is no room to keep what the file held: it is unchanged",
              {
                cause: error,
              },
            )
          : error;
      });
    if (bytes > limitBytes()) {
      files.release(digest);
      await this.#give([digest]);
      return { reason: "too_large", image: undefined, release() {} };
    }
    await this.#makeRoom(bytes);
    return { reason: undefined, image: { digest, bytes, at: now() }, release: () => files.release(digest) };
  }

  /** Removes what no change needs and what a kill left, and the oldest beyond the bound. */
  async sweep(): Promise<void> {
    const { store, files, now } = this.#options;
    for (;;) {
      const rows = await store.unneededImages(BATCH);
      const gone = rows.filter(({ digest }) => !files.isPinned(digest));
      if (gone.length === 0) break;
      await this.removeUnneeded(gone.map(({ digest }) => digest));
    }
    await files.removeLeftovers(now() - LEFT_MS, (digest) => store.hasImage(digest));
    this.#bytes = await store.imageBytes();
    await this.#makeRoom(0);
  }

  /** Of these images, removes those that no change needs. */
  async removeUnneeded(digests: readonly string[]): Promise<void> {
    await this.#options.store.dropUnneeded(digests);
    await this.#removeFiles(digests);
    this.#bytes = undefined;
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { store, files } = this.#options;
    const { bytes: known, limit } = await this.usage();
    this.#bytes = known + bytes;
    if (this.#bytes <= limit) return;
    // What was counted twice is counted anew.
    let over = (await store.imageBytes()) + bytes - limit;
    while (over > 0) {
      const oldest = (await store.oldestImages(BATCH)).filter(({ digest }) => !files.isPinned(digest));
      const gone: string[] = [];
      for (const image of oldest) {
        if (over <= 0) break;
        gone.push(image.digest);
        over -= image.bytes;
      }
      if (gone.length === 0) break;
      await this.#give(gone);
    }
    this.#bytes = (await store.imageBytes()) + bytes;
  }

  async #give(digests: readonly string[]): Promise<void> {
    await this.#options.store.dropImages(digests);
    await this.#removeFiles(digests);
  }

  async #removeFiles(digests: readonly string[]): Promise<void> {
    const { store, files } = this.#options;
    for (const digest of digests) await files.remove(digest, (one) => store.hasImage(one));
  }

  #holdsSecret(content: Buffer): boolean {
    const { redactor } = this.#options;
    const text = content.toString("utf8");
    return redactor.known(text) !== text;
  }
}
