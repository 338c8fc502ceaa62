import { expect, test } from "vitest";
import {
  credentialOf,
  EMPTY_CONNECTION,
  probeOf,
  problemOfAddress,
  problemOfId,
  problemsOfTokens,
  suggestedId,
} from "./connection-draft.ts";

test.each([
  ["http://127.0.0.1:11434/v1", "ollama"],
  ["http://localhost:1234/v1", "lm-studio"],
  ["https://api.example.com/v1", "example"],
  ["https://models.example.org", "example"],
  ["http://gpu-box:9000/v1", "gpu-box"],
  ["http://192.168.1.5:9000/v1", "gateway"],
  ["http://[::1]:9000/v1", "gateway"],
  ["nonsense", "gateway"],
])("a connection to %s is called %s", (address, id) => {
  const draft = { ...EMPTY_CONNECTION, baseUrl: address };
  expect(suggestedId(draft, [])).toBe(id);
  expect(problemOfId(id, [])).toBeUndefined();
  expect(suggestedId(draft, [id, `${id}-2`])).toBe(`${id}-3`);
});

test("an invalid address or name is reported while it is entered", () => {
  expect(problemOfAddress(" ")).toBe("Enter the server's address.");
  expect(problemOfAddress("localhost:11434")).toMatch(/http/);
  expect(problemOfAddress("https://host/v1")).toBeUndefined();
  expect(problemOfId("A b", [])).toMatch(/small letters/);
  expect(problemOfId("local", ["local"])).toMatch(/There is/);
});

test("a new connection is tried by its type, a saved one by its name", () => {
  const draft = { ...EMPTY_CONNECTION, baseUrl: " http://h/v1 ", apiKey: " k " };
  expect(probeOf(draft)).toEqual({ provider: "compat-gateway", api_base: "http://h/v1", api_key: "k" });
  expect(probeOf(EMPTY_CONNECTION, "local")).toEqual({ provider: "local", api_base: "", api_key: "" });
});

test("a subscription is entered with its tokens, all of them anew", () => {
  const none = { ...EMPTY_CONNECTION, type: "oauth-subscription-a" } as const;
  const withRenewal = (change: object) => ({ ...none, renewal: { ...none.renewal, ...change } });
  expect(suggestedId(none, ["subscription"])).toBe("subscription-2");
  expect(probeOf({ ...none, apiKey: "t" })).toEqual({ provider: "oauth-subscription-a", api_base: "", api_key: "t" });
  // Blank means none for a new one, and keeps the stored one of a saved connection.
  expect(problemsOfTokens(none, false)).toHaveProperty("apiKey");
  expect([problemsOfTokens(none, true), credentialOf(none)]).toEqual([{}, undefined]);
  expect(problemsOfTokens(withRenewal({ refreshToken: "r" }), true)).toHaveProperty("apiKey");
  const renewing = withRenewal({ refreshToken: " r ", tokenEndpoint: "https://h/token" });
  expect([problemsOfTokens(renewing, false), credentialOf(renewing)]).toEqual([
    {},
    { refresh_token: "r", token_endpoint: "https://h/token" },
  ]);
  const wrong = { ...withRenewal({ tokenEndpoint: "h/token", expiresAt: "soon" }), apiKey: "t" };
  expect(Object.keys(problemsOfTokens(wrong, false))).toEqual(["tokenEndpoint", "expiresAt"]);
});
