import { expect, test } from "vitest";
import { EMPTY_CONNECTION } from "../../connections/index.ts";
import { EMPTY_SETUP, personaBody, problemOfSetup, setupBody } from "./setup-draft.ts";

const connection = { ...EMPTY_CONNECTION, baseUrl: " http://127.0.0.1:11434/v1 ", model: " qwen3:8b " };

test("the first configuration names the connection and the model of it that leads", () => {
  expect(setupBody({ ...EMPTY_SETUP, connection }, ["scripted", "gateway"])).toEqual({
    config: {
      providers: [{ id: "ollama", type: "compat-gateway", base_url: "http://127.0.0.1:11434/v1" }],
      model: { name: "ollama:qwen3:8b" },
    },
  });
});

test("a name, a persona and a key are sent where they were entered, and a name in use is not used again", () => {
  const draft = { name: " Ada ", soul: "# Ada\n", connection: { ...connection, apiKey: " key " } };
  expect(setupBody(draft, ["ollama"])).toMatchObject({
    config: { identity: { name: "Ada" }, providers: [{ id: "ollama-2", api_key: "key" }] },
    soul: "# Ada\n",
  });
});

test("who the agent is can be kept without a connection", () => {
  expect(personaBody({ name: " Ada ", soul: "# Ada\n" })).toEqual({
    config: { identity: { name: "Ada" } },
    soul: "# Ada\n",
  });
  expect(personaBody(EMPTY_SETUP)).toEqual({ config: {} });
});

test("missing values are reported", () => {
  expect(problemOfSetup(EMPTY_SETUP)).toMatch(/address/);
  expect(problemOfSetup({ ...EMPTY_SETUP, connection: { ...connection, model: " " } })).toMatch(/model/);
  expect(problemOfSetup({ ...EMPTY_SETUP, connection })).toBeUndefined();
});
