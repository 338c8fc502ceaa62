import { expect, test } from "vitest";
import { EMPTY_CONNECTION, probeOf, problemOfAddress, problemOfId, suggestedId } from "./connection-draft.ts";

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
  expect(suggestedId(address, [])).toBe(id);
  expect(problemOfId(id, [])).toBeUndefined();
  expect(suggestedId(address, [id, `${id}-2`])).toBe(`${id}-3`);
});

test("what is no address and no name is said at once", () => {
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
