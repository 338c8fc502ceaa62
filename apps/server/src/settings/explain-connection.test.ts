import type { Provenance } from "@agent-service/config";
import { expect, test } from "vitest";
import { type ExplainedSettings, explainConnection } from "./explain-connection.ts";

const paths = { configFile: "/c/agent-config.yaml", secretsFile: "/c/secrets.yaml" } as ExplainedSettings["paths"];

function settings(
  retiring: boolean,
  connection: { readonly id: string; readonly baseUrl: string; readonly apiKey: string },
  provenance: readonly [string, Provenance][] = [],
): ExplainedSettings {
  const full = { type: "compat-gateway" as const, label: "", models: {}, ...connection };
  const models = { connections: [full], lead: "m", retiring, scriptedByDefault: false };
  return { models, provenance: new Map(provenance), paths };
}

const gateway = { id: "gateway", baseUrl: "http://gateway:4000/v1", apiKey: "the-key" };
const fromVariable: [string, Provenance] = ["model.api_key", { layer: "env", variable: "MODEL_API_KEY" }];

test("an undeclared gateway is described by its address, the source of both values and the command that changes them", () => {
  expect(explainConnection(settings(true, gateway, [fromVariable]), "gateway")).toBe(
    "Connection gateway (used because there is no providers block), address http://gateway:4000/v1 (the default), " +
      "its key (environment variable MODEL_API_KEY). " +
      "To change them: MODEL_API_BASE=<address> MODEL_API_KEY=<key> agent-service",
  );
});

test("a variable that the secrets manager fills is described as the manager's", () => {
  expect(explainConnection(settings(true, gateway, [fromVariable]), "gateway", ["MODEL_API_KEY"])).toContain(
    "(environment variable MODEL_API_KEY, from the secrets manager)",
  );
});

test("a declared connection is described by file and line", () => {
  const provenance: [string, Provenance][] = [
    ["providers.gw.base_url", { layer: "file", file: "/c/agent-config.yaml", line: 4 }],
    ["providers.gw.api_key", { layer: "secrets", file: "/c/secrets.yaml", line: 2 }],
  ];
  const declared = { id: "gw", baseUrl: "http://127.0.0.1:1/v1", apiKey: "the-key" };
  const text = explainConnection(settings(false, declared, provenance), "gw");
  expect(text).toContain("address http://127.0.0.1:1/v1 (/c/agent-config.yaml:4), its key (/c/secrets.yaml:2)");
  expect(text).toContain("edit /c/agent-config.yaml and /c/secrets.yaml");
  expect(text).not.toContain("the-key");
  expect(explainConnection(settings(false, { ...declared, apiKey: "" }), "gw")).toContain(", no key.");
});

test("a connection without an address has no explanation", () => {
  expect(explainConnection(settings(true, gateway), "other")).toBeUndefined();
  expect(explainConnection(settings(false, { ...gateway, baseUrl: "" }), "gateway")).toBeUndefined();
});
