import { defineFeature } from "../feature/index.ts";
import { checks } from "../verifier/index.ts";
import { HeldWatches } from "./held-watch.ts";
import { Reactions } from "./reactions.ts";
import { watchEvents } from "./watch-events.ts";
import { watchesSection } from "./watch-section.ts";
import { WatchStore } from "./watch-store.ts";
import { watchTools } from "./watch-tools.ts";
import { Watches } from "./watches.ts";

/** Conditions that are checked again and again, and what follows when they hold. */
export const watch = defineFeature({
  name: "watch",
  category: "watches",
  needs: [checks],
  sections: [watchesSection],
  topics: [
    ...["watch.changed", "watch.met", "watch.value_changed"],
    ...["watch.expired", "watch.stalled", "watch.failing"],
  ],
  open(engine, { needs, settings }) {
    const { db, journal, service, clock, log, bus, redactor } = engine;
    const store = new WatchStore(db);
    const held = new HeldWatches();
    const toolbox = () => engine.toolbox;
    const reactions = new Reactions({ db, journal, service, clock, log, toolbox, store, watches: held });
    const watches = new Watches({
      ...{ db, clock, log, store, held, reactions, verifiers: needs.verification },
      settings: () => settings.watches,
      events: watchEvents(bus, (text) => redactor.text(text)),
    });
    return { watches, tools: watchTools({ watches, service }) };
  },
  tools: ({ tools }) => tools,
  workingState: ({ watches }, ask) => watches.workingState(ask),
  recover: ({ watches }) => watches.recover(),
  start: ({ watches }) => watches.start(),
  tick: ({ watches }) => watches.tick(),
  sweep: ({ watches }, now) => watches.sweep(now),
  async forgetSession({ watches }, session, retired) {
    if (retired) await watches.forgetSession(session);
  },
  quiesce: ({ watches }) => watches.stop(),
});
