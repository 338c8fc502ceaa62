import { defineFeature } from "../feature/index.ts";
import { promptCacheSection } from "../model/index.ts";
import { keepWarm } from "./keep-warm.ts";

/** Keeps the lead model's prompt cache warm with the prefix of its turns. */
export const promptWarming = defineFeature({
  name: "prompt-warming",
  sections: [promptCacheSection],
  open(engine, { settings }) {
    const { clock, log } = engine;
    return keepWarm({
      clock,
      settings() {
        const { enabled, warm } = settings.prompt_cache;
        return { enabled: enabled && (warm.enabled ?? false), intervalMs: (warm.interval_seconds ?? 3_300) * 1_000 };
      },
      prefix() {
        const { model, name, settings } = engine.chooseModel(undefined);
        const system = engine.system();
        const tools = engine.toolbox.for({ subagent: false, peer: false }).shown.list;
        return { model, request: { model: name, ...(system === undefined ? {} : { system }), tools, settings } };
      },
      warn: (message) => log.warn(message),
    });
  },
  tick: (warming) => warming.check(),
  close: (warming) => warming.stop(),
});
