import { expect, it } from "vitest";
import { type BannerFacts, banner } from "./banner.ts";

const facts: BannerFacts = {
  version: "0.1.0",
  url: "http://127.0.0.1:7870",
  ui: "console",
  model: { name: "scripted", scripted: true },
  store: { location: "~/.protoagent", durable: true },
  access: "open-loopback",
  configFile: "config/agent-config.yaml",
};

it("shows addresses, the model in use, where data goes, and the next step", () => {
  expect(banner(facts)).toBe(`◔ agent-service 0.1.0
  console   http://127.0.0.1:7870/app
  A2A       http://127.0.0.1:7870/a2a        card: /.well-known/agent-card.json
  model     scripted (not a language model)
  store     ~/.protoagent (durable), open on loopback only: no token is set
  next      connect a language model: providers and model.name in config/agent-config.yaml
            or agent-service connect; no restart is needed
`);
});

it("warns when data does not last, when the network has access, and when there is no console", () => {
  const text = banner({
    ...facts,
    ui: "none",
    model: { name: "gateway:qwen3:8b", scripted: false },
    store: { location: "memory", durable: false },
    access: "open-network",
  });
  expect(text).not.toContain("/app");
  expect(text).toContain("model     gateway:qwen3:8b\n");
  expect(text).toContain("memory (in memory only), OPEN TO THE NETWORK: no token is set");
  expect(text).toContain("next      send a message to the A2A address\n");
  expect(banner({ ...facts, access: "token" })).toContain("a token is required");
});
