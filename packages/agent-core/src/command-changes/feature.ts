import { defineFeature, featureKey } from "../feature/index.ts";
import { fileChanges } from "../file-history/index.ts";
import { files, filesystemSection } from "../filesystem/index.ts";
import { type Environment, processEnvironment } from "../process/index.ts";
import { CommandChanges } from "./command-changes.ts";
import type { NoteLimits, NoteTimes } from "./note-message.ts";

export interface CommandChangesFeature {
  /** Where notes are kept while commands run. The folder of its own folder exists. */
  readonly folder: string;
  /** The service's own environment; of it an allow-list is passed on to git (PR3). */
  readonly inherited: Environment;
  /** Default: 20,000 files, of each 1 MiB, in all 64 MiB. */
  readonly limits?: NoteLimits;
  /** Default: 10 s for noting, 30 s for comparing. */
  readonly times?: NoteTimes;
}

/** What commands change in the files of projects, listed and taken back like other changes. */
export function commandChanges({ folder, inherited, limits, times }: CommandChangesFeature) {
  return defineFeature({
    name: "command-changes",
    category: "files",
    needs: [files, fileChanges],
    sections: [filesystemSection],
    open({ processes: programs, clock, newId, redactor, bus, log }, { needs, settings }) {
      const { fence } = needs.filesystem;
      const { history } = needs["file-history"].changes;
      const environment = (): Record<string, string> =>
        processEnvironment({ inherited, writable: fence.projects.reachable.map(({ root }) => root) });
      const isKept = (): boolean => settings.filesystem.history_mb > 0;
      return new CommandChanges({
        ...{ fence, history, programs, environment, clock, newId, redactor, bus, log, folder, isKept },
        ...(limits !== undefined && { limits }),
        ...(times !== undefined && { times }),
      });
    },
    recover: (changes) => changes.recover(),
    drain: (changes) => changes.settled(),
  });
}

/** What features that run commands need of it. */
export const changesOfCommands = featureKey<"command-changes", CommandChanges>("command-changes");
