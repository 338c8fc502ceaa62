import * as v from "valibot";
import { expect, test } from "vitest";
import { modelSection } from "./model-section.ts";
import { providersSection } from "./providers-section.ts";
import { leadWithScripted, resolveConnections } from "./resolve-connections.ts";

const model = (over: Record<string, unknown> = {}) => v.parse(modelSection.schema, over);
const providers = (list: unknown) => v.parse(providersSection.schema, list);
const shown = (registry: ReturnType<typeof resolveConnections>) => [
  registry.lead,
  ...registry.connections.map(({ id, type, baseUrl, apiKey }) => [id, type, baseUrl, apiKey]),
];

test("without a block there is one gateway at the default address (B51 providers, rule 3)", () => {
  const registry = resolveConnections(undefined, model());
  expect(registry.retiring).toBe(true);
  expect(shown(registry)).toEqual(["protolabs/reasoning", ["gateway", "compat-gateway", "http://gateway:4000/v1", ""]]);
});

test("the retiring keys give that gateway its address and key", () => {
  const registry = resolveConnections(undefined, model({ api_base: "http://h:1/v1", api_key: "k", name: "m" }));
  expect(shown(registry)).toEqual(["m", ["gateway", "compat-gateway", "http://h:1/v1", "k"]]);
});

test("a retiring provider that is a subscription leads, and gets nothing of the gateway's", () => {
  const retiring = { provider: "oauth-subscription-a", api_base: "http://h:1/v1", api_key: "k" };
  expect(shown(resolveConnections(undefined, model({ ...retiring, name: "m" })))).toEqual([
    "oauth-subscription-a:m",
    ["oauth-subscription-a", "oauth-subscription-a", "", ""],
    ["gateway", "compat-gateway", "http://h:1/v1", "k"],
  ]);
  expect(resolveConnections(undefined, model({ ...retiring, name: "gateway:m" })).lead).toBe("gateway:m");
});

test("a declared block is used as it is: no key and no address is borrowed (B51 providers, rule 2)", () => {
  const retiring = model({ api_base: "http://h:1/v1", api_key: "k", provider: "oauth-subscription-b" });
  const registry = resolveConnections(
    providers([
      { id: "a", api_key: "ka" },
      { id: "b", base_url: "http://b/v1" },
    ]),
    retiring,
  );
  expect(registry.retiring).toBe(false);
  expect(shown(registry).slice(1)).toEqual([
    ["a", "compat-gateway", "", "ka"],
    ["b", "compat-gateway", "http://b/v1", ""],
  ]);
});

test("an explicit empty block stays empty", () => {
  expect(resolveConnections(providers([]), model({ api_key: "k" })).connections).toEqual([]);
});

test("a subscription's credential is kept apart from gateway keys", () => {
  const credential = { access_token: "t" };
  const [connection] = resolveConnections(
    providers([{ id: "sub", type: "oauth-subscription-b", api_key: credential }]),
    model(),
  ).connections;
  expect([connection?.apiKey, connection?.credential]).toMatchObject(["", credential]);
});

test("the scripted model leads beside the default gateway, or by name (R10)", () => {
  const beside = leadWithScripted(resolveConnections(undefined, model()));
  expect([beside.lead, ...beside.connections.map(({ id }) => id)]).toEqual(["scripted:demo", "scripted", "gateway"]);
  const named = resolveConnections(providers([]), model({ name: "scripted:demo" }));
  expect(named.connections.map(({ id, type }) => [id, type])).toEqual([["scripted", "scripted"]]);
  const declared = resolveConnections(
    providers([{ id: "scripted", base_url: "http://x" }]),
    model({ name: "scripted:m" }),
  );
  expect(declared.connections.map(({ type }) => type)).toEqual(["compat-gateway"]);
});
