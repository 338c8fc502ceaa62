import { describe, expect, it } from "vitest";
import type { Listener } from "../../access/index.ts";
import { loadServerSettings } from "../../settings/index.ts";
import { temporaryFolders } from "../../testing/index.ts";
import { advertisedAddress } from "./agent-card.ts";

describe("the address on the card (B11)", () => {
  it.each([
    ["127.0.0.1", undefined, "http://127.0.0.1:7870/a2a"],
    ["0.0.0.0", undefined, "http://127.0.0.1:7870/a2a"],
    ["192.0.2.7", undefined, "http://127.0.0.1:7870/a2a"],
    ["::1", undefined, "http://[::1]:7870/a2a"],
    ["localhost", undefined, "http://localhost:7870/a2a"],
    ["::1", "https://agent.example/base/", "https://agent.example/base/a2a"],
  ])("bound to %s with A2A_PUBLIC_URL %s it is %s", (host, publicUrl, expected) => {
    const folders = temporaryFolders();
    const settings = loadServerSettings({
      env: {
        SVC_HOME: folders.home,
        SVC_CONFIG_DIR: folders.config,
        SVC_MODEL: "scripted:demo",
        A2A_PUBLIC_URL: publicUrl,
      },
      flags: { host, port: 7870 },
    });
    folders.remove();
    const shown = host === "::1" ? "[::1]" : host;
    const listener = { port: 7870, url: `http://${shown}:7870` } as Listener;
    expect(advertisedAddress(settings, listener)).toBe(expected);
  });
});
