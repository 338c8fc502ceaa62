import { describe, expect, it } from "vitest";
import { checkBind } from "./check-bind.ts";
import { createHostCheck, hostName, isLoopbackHost } from "./host-check.ts";

const check = createHostCheck({
  publicUrl: "https://Agent.Example:8443/base",
  trustedHosts: ["box.lan", "Other.Lan:9000", "fd00::5", " "],
});

describe("the Host check of an open instance (B28; S4)", () => {
  it.each([
    "localhost",
    "LOCALHOST:7870",
    "localhost.",
    "localhost.:7870",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.8.9.10:7870",
    "[::1]",
    "[::1]:7870",
    "[0:0:0:0:0:0:0:1]:80",
    "[::ffff:127.0.0.1]",
    "agent.example",
    "AGENT.example.:443",
    "box.lan:7870",
    "other.lan",
    "[fd00:0::5]:7870",
  ])("recognises %s", (host) => {
    expect(check(host, "127.0.0.1")).toBe(true);
  });

  it.each([
    undefined,
    "",
    "evil.example",
    "evil.example:7870",
    "localhost.evil.example",
    "evil-localhost",
    "127.0.0.1.evil.example",
    "127.1",
    "2130706433",
    "0.0.0.0",
    "10.0.0.7",
    "[::]",
    "[fd00::6]",
    "[::1",
    "::1]:80",
    "[localhost]",
    "user@localhost",
    "localhost/",
    "localhost#",
    "localhost\\evil",
    "..",
    ":7870",
  ])("refuses %s", (host) => {
    expect(check(host, "127.0.0.1")).toBe(false);
  });

  it("recognises the very address the socket is bound to, in any spelling, and no other", () => {
    expect(check("10.0.0.7:7870", "10.0.0.7")).toBe(true);
    expect(check("10.0.0.7", "::ffff:10.0.0.7")).toBe(true);
    expect(check("[fe80::1]:7870", "fe80::1%eth0")).toBe(true);
    expect(check("[FD00:0:0::9]", "fd00::9")).toBe(true);
    expect(check("10.0.0.8", "10.0.0.7")).toBe(false);
    expect(check("10.0.0.7", undefined)).toBe(false);
  });

  it("reads a Host header without its port, brackets, case and trailing dot", () => {
    expect(hostName("Example.COM.:80")).toBe("example.com");
    expect(hostName("[2001:DB8:0::1]:443")).toBe("2001:db8::1");
  });
});

describe("where an open instance may listen (B26)", () => {
  it.each(["127.0.0.1", "localhost", "::1", "127.0.0.9"])("%s needs no token", (host) => {
    expect(isLoopbackHost(host)).toBe(true);
    expect(checkBind({ host, credentials: {}, allowOpen: false })).toBeUndefined();
  });

  it.each(["0.0.0.0", "::", "10.0.0.7", "box.lan", ""])("%s needs a token or SVC_ALLOW_OPEN", (host) => {
    const error = checkBind({ host, credentials: { bearer: " " }, allowOpen: false });
    expect(error?.code).toBe("bind-refused");
    expect(error?.exitCode).toBe(1);
    expect(error?.message).toMatch(/SVC_ALLOW_OPEN=1/);
    expect(checkBind({ host, credentials: {}, allowOpen: true })).toBeUndefined();
    expect(checkBind({ host, credentials: { bearer: "b" }, allowOpen: false })).toBeUndefined();
    expect(checkBind({ host, credentials: { apiKey: "k" }, allowOpen: false })).toBeUndefined();
  });
});
