import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Fence } from "../fence/index.ts";
import type { FileHistory } from "../file-history/index.ts";
import type { GitPrograms } from "../git-read/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { NoteLimits, NoteTimes } from "./note-message.ts";

/** What the changes of commands stand on. */
export interface CommandChangesOptions {
  readonly fence: Fence;
  readonly history: FileHistory;
  readonly programs: GitPrograms;
  /** The environment of git. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "now" | "setTimeout">;
  /** Ids that sort by time. */
  readonly newId: () => string;
  readonly redactor: Pick<Redactor, "known">;
  readonly bus: EventBus;
  readonly log: Pick<EngineLog, "warn">;
  /** Where notes are kept. The folder of its own folder exists. */
  readonly folder: string;
  /** Whether what files held is kept; asked at each command. */
  readonly isKept: () => boolean;
  /** Default: 20,000 files, of each 1 MiB, in all 64 MiB. */
  readonly limits?: NoteLimits;
  /** Default: 10 s for noting, 30 s for comparing. */
  readonly times?: NoteTimes;
}
