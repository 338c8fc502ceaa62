import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import temporaryHome from "./temporary-home.ts";

test("tests find an empty home and configuration folder of their own, and nothing else is set", () => {
  expect(process.env.SVC_HOME?.startsWith(tmpdir())).toBe(true);
  expect(process.env.SVC_CONFIG_DIR?.startsWith(tmpdir())).toBe(true);
  const others = Object.keys(process.env).filter((name) => /^(SVC|A2A|MODEL)_/.test(name));
  expect(others.sort()).toEqual(["SVC_CONFIG_DIR", "SVC_HOME"]);
});

test("the settings of whoever runs the tests are taken away", () => {
  const before = { ...process.env };
  process.env.MODEL_API_KEY = "theirs";
  process.env.A2A_AUTH_TOKEN = "theirs";
  try {
    temporaryHome()();
    expect(process.env.MODEL_API_KEY).toBeUndefined();
    expect(process.env.A2A_AUTH_TOKEN).toBeUndefined();
  } finally {
    Object.assign(process.env, before);
  }
});
