import { expect, test } from "vitest";
import { parkOf } from "./elicitation.ts";

test("no part of a secret is shown where a server's question is cut, nor one with invisible characters in it", () => {
  const secret = "correct-horse-battery-staple";
  const asking = {
    ...{ server: "bank", tool: "pay", isHeld: false },
    redact: (text: string) => text.replaceAll(secret, "***"),
  };
  const requestedSchema = { type: "object" };
  for (const [before, said] of [
    [3_990, secret],
    [3_972, secret],
    [0, secret.replaceAll("-", "-\u200b")],
  ] as const) {
    const park = parkOf({ message: `${".".repeat(before)}${said}`, requestedSchema }, asking);
    expect(JSON.stringify(park)).not.toMatch(/corr|horse|batt|stap/);
  }
  for (let offset = 0; offset < 60; offset += 7) {
    const message = `${".".repeat(offset)}${secret.repeat(1_000)}`;
    expect(JSON.stringify(parkOf({ message, requestedSchema }, asking))).not.toMatch(/corr|horse|batt|stap/);
  }
});

test.each<[string, object, boolean]>([
  ["a field named like one", { password: { type: "string" } }, true],
  ["a key in capitals", { GITHUB_TOKEN: { type: "string" } }, true],
  ["a title that says so", { value: { type: "string", title: "API key" } }, true],
  ["the format of one", { value: { type: "string", format: "password" } }, true],
  ["ordinary fields", { people: { type: "integer", title: "People" }, key_dates: { type: "string" } }, false],
  ["fields that are no schemas", { a: null, b: "x", c: 7 }, false],
])("a form that asks for a secret says so to the person: %s", (_, properties, isTold) => {
  const asking = { server: "bank", tool: "pay", isHeld: false, redact: (text: string) => text };
  const park = parkOf({ message: "Tell me.", requestedSchema: { type: "object", properties } } as never, asking);
  expect(JSON.stringify(park).includes("seems to ask for a password")).toBe(isTold);
  expect(park).toMatchObject({ request: { description: expect.stringMatching(/^Tell me\./) } });
});
