import { servingConnection } from "@agent-service/agent-core/host";
import type { ConfigurationWriter } from "@agent-service/operator-api";
import { notEnabled, Problem } from "@agent-service/operator-api";
import {
  completeSetup,
  type LiveSettings,
  problemOf,
  reopenSetup,
  SECTIONS,
  type ServerSettings,
  type SettingsSaver,
} from "../../settings/index.ts";
import { editsOfTree } from "./config-tree.ts";

export interface ConfigWriterParts {
  readonly live: LiveSettings;
  readonly saver: SettingsSaver;
  /** Of the configuration as it is now. */
  readonly revision: () => string;
  /** Writes the persona's text; absent while there is no persona file. */
  readonly writeSoul?: ((text: string) => void | Promise<void>) | undefined;
  /** Tests the lead model of these settings with one call; throws with a reason when there is none. */
  readonly probe: (candidate: ServerSettings) => Promise<void>;
}

/** Changes the configuration as a whole, and the setup (B41; O6). */
export function configWriter({
  live,
  saver,
  revision: current,
  writeSoul,
  probe,
}: ConfigWriterParts): ConfigurationWriter {
  const { settings } = live;
  const editsOf = (config: { readonly [section: string]: unknown } = {}) =>
    editsOfTree(SECTIONS, settings.loaded.values, config);
  // Known before anything is saved, so that a refusal changes nothing.
  const soulOf = (text: string | undefined): (() => Promise<void>) => {
    if (text === undefined) return async () => {};
    if (writeSoul === undefined) throw notEnabled("The persona file");
    return async () => writeSoul(text);
  };
  const requireOwn = (): void => {
    if (settings.setup.managed)
      throw new Problem(409, "The configuration folder cannot be written: its owner manages it elsewhere.");
  };

  return {
    async save({ config, soul, revision }, { refuseDecision }) {
      const write = soulOf(soul);
      const edits = editsOf(config);
      // A save that changes no setting is compared with nothing; one of the persona is a change all the same.
      if (soul !== undefined && edits.length === 0 && revision !== undefined && revision !== current())
        throw new Problem(409, "The configuration was changed meanwhile: read it again.");
      const saved = await saver.save(edits, { revision, refuseDecision });
      if (soul === undefined) return saved;
      await write();
      return { ...saved, messages: [...(edits.length === 0 ? [] : saved.messages), "Saved the persona."] };
    },
    async completeSetup({ config, soul }, { refuseDecision }) {
      requireOwn();
      const write = soulOf(soul);
      await saver.save(editsOf(config), { before: probe, completesSetup: true, refuseDecision });
      await write();
      mark(live, () => completeSetup(settings.paths));
      const { connections, lead } = settings.models;
      return { ok: true, message: `Connected: ${servingConnection(connections, lead)?.name ?? lead} answers.` };
    },
    async resetSetup() {
      requireOwn();
      mark(live, () => reopenSetup(settings.paths));
      return { ok: true, message: "Setup is open again; what is configured stays." };
    },
  };
}

/** Writes or removes the marker, and applies it. */
function mark(live: LiveSettings, change: () => void): void {
  try {
    change();
  } catch (error) {
    throw problemOf(error);
  }
  live.reload();
}
