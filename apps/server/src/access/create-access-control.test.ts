import { expect, it } from "vitest";
import { accessWarnings, createAccessControl } from "./create-access-control.ts";

it("warns at start that no token is required and that streaming takes every origin (B26 and B29)", () => {
  const open = createAccessControl({ credentials: () => ({}) });
  expect(accessWarnings(open, { host: "127.0.0.1" })).toEqual([
    expect.stringContaining("every program on this machine"),
    expect.stringContaining("A2A_ALLOWED_ORIGINS"),
  ]);
  expect(accessWarnings(open, { host: "0.0.0.0", allowedOrigins: "*" })).toEqual([
    expect.stringContaining("0.0.0.0 is no loopback address"),
  ]);
});

it("warns of nothing on a gated instance with its origins listed", () => {
  const gated = createAccessControl({ credentials: () => ({ apiKey: "k" }), allowedOrigins: "https://a.example" });
  expect(accessWarnings(gated, { host: "0.0.0.0", allowedOrigins: "https://a.example" })).toEqual([]);
});
