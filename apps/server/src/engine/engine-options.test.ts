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

it("gives features the settings that count, the same object until they change", () => {
  const folders = temporaryFolders(config(7, "a"));
  try {
    const live = createLiveSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
    const host = { live, settings: live.settings, models: {}, logging: {}, version: "0" } as unknown as ServiceHost;
    const { settings } = engineOptions(host, { store: ":memory:", bounds: {} });
    const checkpoint = settings?.(checkpointSection);
    // By the earlier name of the setting.
    expect(checkpoint).toMatchObject({ max_age_days: 7 });
    folders.configure(config(7, "b"));
    expect(live.reload()).toMatchObject({ ok: true, changed: ["model.favorites"] });
    expect(settings?.(checkpointSection)).toBe(checkpoint);
    folders.configure(config(9, "b"));
    live.reload();
    expect(settings?.(checkpointSection)).toMatchObject({ max_age_days: 9 });
  } finally {
    folders.remove();
  }
});
