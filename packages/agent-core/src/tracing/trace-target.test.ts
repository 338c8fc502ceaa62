import { expect, test } from "vitest";
import { traceTarget } from "./trace-target.ts";

const none = { host: undefined, publicKey: undefined, secretKey: undefined };
const section = { enabled: true, host: "", public_key: "", secret_key: "" };
const basic = (pair: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
});
const LANGFUSE = "/api/public/otel/v1/traces";

test("a complete pair in the environment wins, and never goes to a configured host (B60 tracing)", () => {
  const configured = { ...section, host: "https://theirs.example", public_key: "cp", secret_key: "cs" };
  const pair = { publicKey: "ep", secretKey: "es" };
  expect(traceTarget(configured, { ...none, ...pair })).toEqual({
    url: `http://host.docker.internal:3001${LANGFUSE}`,
    headers: basic("ep:es"),
  });
  expect(traceTarget(configured, { ...pair, host: "https://ours.example" }).url).toBe(
    `https://ours.example${LANGFUSE}`,
  );
});

test("half a pair counts as none; the configured keys go to the configured host, else the environment's", () => {
  const configured = { ...section, public_key: "cp", secret_key: "cs" };
  const half = { ...none, publicKey: "ep", host: "https://ours.example" };
  expect(traceTarget({ ...configured, host: "https://theirs.example" }, half)).toEqual({
    url: `https://theirs.example${LANGFUSE}`,
    headers: basic("cp:cs"),
  });
  expect(traceTarget(configured, half).url).toBe(`https://ours.example${LANGFUSE}`);
});

test("a collector without keys, or with a path of its own, is addressed as OTLP defines", () => {
  expect(traceTarget({ ...section, host: "http://collector:4318/" }, none)).toEqual({
    url: "http://collector:4318/v1/traces",
    headers: {},
  });
  const keyed = { ...section, public_key: "p", secret_key: "s" };
  expect(traceTarget({ ...keyed, host: "https://h.example/otlp" }, none).url).toBe("https://h.example/otlp/v1/traces");
  expect(traceTarget({ ...keyed, host: "https://h.example/x/v1/traces" }, none).url).toBe(
    "https://h.example/x/v1/traces",
  );
});
