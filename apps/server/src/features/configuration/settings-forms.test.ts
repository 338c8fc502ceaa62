import type { Provenance, Section } from "@agent-service/config";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { isHidden, ownerOf, settingViews } from "../../settings/index.ts";
import { type ConfigSource, configReader } from "./config-reader.ts";
import { providersList } from "./providers-list.ts";
import { settingsForms } from "./settings-forms.ts";

const mail = {
  name: "mail",
  description: "Mail.",
  schema: v.object({
    host: v.optional(v.string(), "localhost"),
    password: v.optional(v.string(), ""),
    retry: v.optional(v.object({ times: v.optional(v.number(), 3), note: v.optional(v.string()) }), {}),
  }),
  secrets: ["password"],
  variables: {
    host: { variable: "MAIL_HOST", mode: "override" },
    password: { variable: "MAIL_PASSWORD", mode: "fallback" },
  },
  fields: {
    host: { label: "Host", description: "d", type: "string", restart: true },
    password: { label: "Password", description: "d", type: "secret" },
    "retry.times": { label: "Times", description: "d", type: "number", minimum: 0, maximum: 9 },
    "retry.note": { label: "Note", description: "d", type: "text", depends_on: { key: "retry.times", equals: 3 } },
  },
} as const satisfies Section;
const peers = {
  name: "peers",
  description: "Peers.",
  schema: v.optional(v.array(v.object({ id: v.string(), token: v.optional(v.string(), "") }))),
  merge_by: "id",
  secrets: ["token"],
  fields: {
    id: { label: "Id", description: "d", type: "string" },
    token: { label: "Token", description: "d", type: "secret" },
  },
} as const satisfies Section;
const sections = [mail, peers] as const;

function source(over: Partial<ConfigSource> = {}): ConfigSource {
  const provenance = new Map<string, Provenance>([
    ["mail.host", { layer: "env", variable: "MAIL_HOST" }],
    ["mail.password", { layer: "env", variable: "MAIL_PASSWORD" }],
    ["mail.retry.times", { layer: "file", file: "agent-config.yaml", line: 4 }],
    ["peers.a.id", { layer: "host", file: "host-config.yaml", line: 2 }],
    ["peers.a.token", { layer: "secrets", file: "secrets.yaml", line: 9 }],
  ]);
  const values = {
    mail: { host: "mx", password: "s3cret", retry: { times: 5 } },
    peers: [{ id: "a", token: "s3cret" }],
  };
  return {
    sections,
    loaded: () => ({ values, provenance }),
    hidden: () => [],
    revision: () => "r-1",
    setup: () => ({ complete: true, managed: false }),
    restartRequired: () => ["mail.host"],
    rejected: () => undefined,
    soul: () => "",
    fetched: () => [],
    presets: () => [],
    ...over,
  };
}

describe("the configuration as its operator reads it", () => {
  it("is nested as the file is, secrets blank, with what the environment owns", async () => {
    const read = await configReader(source()).read();
    expect(read).toMatchObject({
      config: { mail: { host: "mx", password: "", retry: { times: 5 } }, peers: [{ id: "a", token: "" }] },
      env_owned: { "mail.host": "MAIL_HOST" },
      restart_required: ["mail.host"],
      rejected: null,
    });
    expect(JSON.stringify(read)).not.toContain("s3cret");
  });

  it("has the source of each value, and of a secret that there is one", async () => {
    const explained = await configReader(source()).explain();
    expect(explained).toMatchObject([
      { key: "mail.host", value: "mx", layer: "env", source: "environment variable MAIL_HOST", is_set: true },
      { key: "mail.password", value: "", secret: true, is_set: true, layer: "env" },
      { key: "mail.retry.times", value: 5, layer: "agent", source: "agent-config.yaml:4" },
      { key: "mail.retry.note", value: null, layer: "default", source: "", is_set: false },
      { key: "peers.a.id", layer: "host" },
      { key: "peers.a.token", value: "", secret: true, is_set: true, layer: "secrets" },
    ]);
  });

  it("lacks what settings.hidden names, by key or by the start of one, wherever it is read", async () => {
    const hiding = source({ hidden: () => ["mail.retry", "peers"] });
    expect(await configReader(hiding).read()).toMatchObject({ config: { mail: { host: "mx", password: "" } } });
    const keys = (await configReader(hiding).explain()).map(({ key }) => key);
    expect(keys).toEqual(["mail.host", "mail.password"]);
    const { groups } = await settingsForms(hiding).schema();
    expect(groups.flatMap(({ fields }) => fields.map(({ key }) => key))).toEqual(["mail.host", "mail.password"]);
    expect([isHidden(["mail"], "mailing.x"), isHidden(["mail.host"], "mail.host")]).toEqual([false, true]);
  });

  it("is owned by a variable that overrides files, and by none that is only a fallback", () => {
    const owners = settingViews(sections, source().loaded()).map((view) => [view.key, ownerOf(view)]);
    expect(Object.fromEntries(owners)).toMatchObject({ "mail.host": "MAIL_HOST", "mail.password": undefined });
  });
});

describe("the personas that ship", () => {
  it("are named by the setup status and read one by one", async () => {
    const reader = configReader(source({ presets: () => [{ name: "plain", content: "# Plain" }] }));
    expect(await reader.setupStatus()).toEqual({ setup_complete: true, managed: false, presets: ["plain"] });
    expect([await reader.preset("plain"), await reader.preset("toString")]).toEqual(["# Plain", undefined]);
  });
});

describe("the settings as forms", () => {
  it("have each field's bounds, default, value and source; lists have routes of their own", async () => {
    const { groups, revision } = await settingsForms(source()).schema();
    expect([revision, groups.map(({ section }) => section)]).toEqual(["r-1", ["mail"]]);
    expect(groups[0]?.fields).toMatchObject([
      { key: "mail.host", default: "localhost", value: "mx", restart: true, source: "env", read_only: true },
      { key: "mail.password", type: "secret", value: "", is_set: true, read_only: false },
      { key: "mail.retry.times", minimum: 0, maximum: 9, default: 3, value: 5, source: "agent" },
      { key: "mail.retry.note", depends_on: { key: "mail.retry.times", equals: 3 } },
    ]);
  });

  it("are read only where the folder cannot be written", async () => {
    const { groups } = await settingsForms(source({ setup: () => ({ complete: true, managed: true }) })).schema();
    expect(groups[0]?.fields.every(({ read_only: readOnly }) => readOnly)).toBe(true);
  });
});

describe("the connections", () => {
  const gateway = {
    id: "gateway",
    type: "compat-gateway",
    label: "",
    baseUrl: "http://g",
    apiKey: "s3cret",
    models: {},
  } as const;

  it("have the source of the gateway without a block, and that it has a key", async () => {
    const provenance = new Map<string, Provenance>([["model.api_key", { layer: "env", variable: "MODEL_API_KEY" }]]);
    const listed = await providersList({
      registry: () => ({ connections: [gateway], lead: "qwen3:8b" }),
      provenance: () => provenance,
      revision: () => "r",
    }).list();
    expect(listed.providers).toMatchObject([
      { id: "gateway", lead: true, key_set: true, sources: { api_key: { layer: "env" } } },
    ]);
    expect(JSON.stringify(listed)).not.toContain("s3cret");
  });

  it("are led by the one that the lead model names", async () => {
    const provenance = new Map<string, Provenance>([
      ["providers.b.id", { layer: "file", file: "f", line: 1 }],
      ["providers.b.base_url", { layer: "file", file: "f", line: 2 }],
    ]);
    const { providers } = await providersList({
      registry: () => ({ connections: [gateway, { ...gateway, id: "b", apiKey: "" }], lead: "b:m" }),
      provenance: () => provenance,
      revision: () => "r",
    }).list();
    expect(providers.map(({ id, lead, key_set: keySet }) => [id, lead, keySet])).toEqual([
      ["gateway", false, true],
      ["b", true, false],
    ]);
    expect(providers[1]?.sources).toEqual({ base_url: { layer: "agent", source: "f:2" } });
  });
});
