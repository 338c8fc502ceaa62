import { checkpointSection } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import type { ServiceHost } from "../service-feature/index.ts";
import { createLiveSettings } from "../settings/index.ts";
import { temporaryFolders } from "../testing/index.ts";
import { engineOptions } from "./engine-options.ts";

const config = (days: number, favorite: string) => `
journal: { retention_days: ${days} }
model: { name: "scripted:demo", favorites: [${favorite}] }
`;

/** The engine's options of what a configuration says; `work` may change it. */
function withOptions(
  text: string,
  work: (options: ReturnType<typeof engineOptions>, configure: (text: string) => unknown) => void,
): void {
  const folders = temporaryFolders(text);
  try {
    const live = createLiveSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
    const host = { live, settings: live.settings, models: {}, logging: {}, version: "0" } as unknown as ServiceHost;
    work(engineOptions(host, { store: ":memory:", bounds: {} }), (changed) => {
      folders.configure(changed);
      return live.reload();
    });
  } finally {
    folders.remove();
  }
}

// What each of these does is shown by the engine's tests, under the engine's names.
it("hands every setting of steps, context and retention to the engine (B52, B55 to B57, B66)", () => {
  const text = `
model: { name: "scripted:demo", max_iterations: 77, round_hard_cap: 5 }
pruning: { enabled: false, at_fraction: 0.4, keep_messages: 7, min_chars: 1234 }
compaction: { enabled: true, trigger: "messages:33", keep_messages: 9, model: "gw:small" }
checkpoint:
  on_restart: resume
  max_age_days: 11
  keep_per_thread: 12
  conversation_max_age_days: 13
  harvest_enabled: false
  prune_interval_hours: 14
`;
  const handed = ({ limits, context, retention, onRestart }: ReturnType<typeof engineOptions>) => {
    const current = [limits, context, retention].map((option) => (typeof option === "function" ? option() : option));
    return [...current, onRestart];
  };
  const expected = [
    { maxIterations: 77, roundHardCap: 5 },
    {
      pruning: { enabled: false, atFraction: 0.4, keepMessages: 7, minChars: 1234 },
      compaction: { enabled: true, trigger: { kind: "messages", value: 33 }, keepMessages: 9, model: "gw:small" },
    },
    { maxAgeDays: 11, keepPerThread: 12, conversationMaxAgeDays: 13, harvest: false, pruneIntervalHours: 14 },
    "resume",
  ];
  withOptions(text, (options) => expect(handed(options)).toEqual(expected));
  withOptions("model: { name: scripted:demo }", (options, configure) => {
    for (const value of handed(options)) expect(expected).not.toContainEqual(value);
    // All but what a restart reads are the current ones.
    configure(text);
    expect(handed(options).slice(0, 3)).toEqual(expected.slice(0, 3));
  });
});

it("gives features the settings that count, the same object until they change", () => {
  withOptions(config(7, "a"), ({ settings }, configure) => {
    const checkpoint = settings?.(checkpointSection);
    // By the earlier name of the setting.
    expect(checkpoint).toMatchObject({ max_age_days: 7 });
    expect(configure(config(7, "b"))).toMatchObject({ ok: true, changed: ["model.favorites"] });
    expect(settings?.(checkpointSection)).toBe(checkpoint);
    configure(config(9, "b"));
    expect(settings?.(checkpointSection)).toMatchObject({ max_age_days: 9 });
  });
});
