import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { AutoApproval } from "../command-approval/index.ts";
import type { CommandChanges } from "../command-changes/index.ts";
import type { Fence } from "../fence/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { Environment, Processes, Sandbox, SandboxState } from "../process/index.ts";
import type { CommandSettings } from "./command-settings.ts";
import type { CommandKey, OutputPage, OutputSink, OutputSpool } from "./output-spool.ts";

/** Milliseconds between two events about the output of a command. */
const TELL_MS = 250;

/** What the host knows of commands. */
export interface CommandOptions {
  /** The service's own environment; of it an allow-list is passed on (PR3). */
  readonly inherited: Environment;
  readonly userHome: string;
  /** What was found of sandboxes; asked at each command. */
  readonly sandbox: () => SandboxState | undefined;
  /** Whether the service takes requests without a credential: no command in a sandbox may reach it then. */
  readonly isOpen: () => boolean;
  /** A folder for what commands write. */
  readonly spool: string;
  /** Makes that folder; called when a command begins to write. Where it throws, nothing is kept. Absent: it exists. */
  readonly makeSpool?: () => void;
}

interface CommandParts extends CommandOptions {
  readonly settings: () => CommandSettings;
  readonly fence: Fence;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly log: Pick<EngineLog, "warn">;
  readonly outputs: OutputSpool;
  readonly changes: CommandChanges;
  /** Whether a task's journal is still kept. */
  readonly isThere: (task: string) => Promise<boolean>;
}

/** How a command is confined. */
export interface Confinement {
  readonly by: Sandbox | undefined;
  readonly network: boolean;
  /** What a person should know of it. */
  readonly note?: string;
}

/** The commands of the agent: what they may do, and what they wrote. */
export class Commands {
  readonly fence: Fence;
  readonly processes: Processes;
  /** What commands change in files. */
  readonly changes: CommandChanges;
  readonly clock: Clock;
  readonly inherited: Environment;
  readonly userHome: string;
  readonly log: Pick<EngineLog, "warn">;
  readonly #parts: CommandParts;
  #approval: { readonly of: readonly string[]; readonly value: AutoApproval } | undefined;

  constructor(parts: CommandParts) {
    this.#parts = parts;
    this.fence = parts.fence;
    this.processes = parts.processes;
    this.changes = parts.changes;
    this.clock = parts.clock;
    this.inherited = parts.inherited;
    this.userHome = parts.userHome;
    this.log = parts.log;
  }

  settings(): CommandSettings {
    return this.#parts.settings();
  }

  /** The commands that settings let run; entries that say too little are named in the log once. */
  approval(): AutoApproval {
    const of = this.settings().run_auto_approve;
    if (this.#approval?.of !== of) {
      const value = new AutoApproval(of);
      this.#approval = { of, value };
      for (const { entry, why } of value.dropped) {
        this.#parts.log.warn(`filesystem.run_auto_approve: ${JSON.stringify(entry)} is left out: ${why}`);
      }
    }
    return this.#approval.value;
  }

  /** How a command is confined, by whether a person has `seen` it (F15). */
  confinement(seen: boolean): Confinement {
    const { sandbox, run_network: network } = this.settings();
    const state = this.#parts.sandbox();
    if (sandbox === "off" || state?.usable !== true) return { by: undefined, network: true };
    const allowed = network === "always" || (network === "approved" && seen);
    if (allowed && this.#parts.isOpen()) {
      const note = "It has no network because this service takes requests without a credential: set auth.token.";
      return { by: state.sandbox, network: false, note };
    }
    return { by: state.sandbox, network: allowed };
  }

  /** Keeps what a command writes, and publishes that there is more (F29). */
  begin(key: CommandKey): OutputSink {
    const { bus, clock, outputs } = this.#parts;
    let bytes = 0;
    let isWaiting = false;
    const about = { task_id: key.task, call_id: key.call };
    const sink = outputs.begin(key, (now) => {
      bytes = now;
      if (isWaiting) return;
      isWaiting = true;
      const publish = (): void => {
        isWaiting = false;
        bus.publish("command.output", { ...about, bytes, done: false });
      };
      clock.setTimeout(publish, TELL_MS, { background: true });
    });
    return {
      add: (chunk) => sink.add(chunk),
      async close() {
        await sink.close();
        bus.publish("command.output", { ...about, bytes, done: true });
      },
    };
  }

  /** What a command wrote, from byte `after` on; undefined: nothing of it is kept. */
  output(key: CommandKey, after: number): Promise<OutputPage | undefined> {
    return this.#parts.outputs.read(key, after);
  }

  /** Removes what commands of these tasks wrote. */
  forget(tasks: readonly string[]): Promise<void> {
    return this.#parts.outputs.forget(tasks);
  }

  /** Removes what commands wrote whose task is gone. */
  sweep(): Promise<void> {
    return this.#parts.outputs.sweep(this.#parts.isThere);
  }
}
