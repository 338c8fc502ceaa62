import { describe, expect, test } from "vitest";
import { readAllowList } from "./allow-list.ts";
import { EgressConfigError } from "./egress-error.ts";

describe("the allow-lists (B21)", () => {
  test("name hosts in any spelling, and exactly", () => {
    const list = readAllowList([" Hooks.Example.com. ", "127.1", "::1", "[fd00::2]", "BÜRO.example", ""], []);
    for (const host of ["hooks.example.com", "127.0.0.1", "::1", "fd00::2", "xn--bro-hoa.example"]) {
      expect(list.hasHost(host)).toBe(true);
    }
    for (const host of ["example.com", "a.hooks.example.com", "hooks.example.com.evil", ""]) {
      expect(list.hasHost(host)).toBe(false);
    }
  });

  test("name blocks of either family, and neither opens the other's", () => {
    const list = readAllowList([], ["10.1.0.0/16", "192.168.7.7", "fd00:1::/32", " "]);
    expect(["10.1.2.3", "192.168.7.7", "fd00:1::5"].every((address) => list.hasAddress(address))).toBe(true);
    const others = ["10.2.0.1", "192.168.7.8", "fd00:2::5", "::ffff:10.1.2.3", "fd00:1::5%eth0", "nonsense"];
    expect(others.filter((address) => list.hasAddress(address))).toEqual([]);
    expect(readAllowList([], ["::/0"]).hasAddress("10.0.0.1")).toBe(false);
    expect(readAllowList([], ["0.0.0.0/0"]).hasAddress("::1")).toBe(false);
  });

  test.each(["https://a.test", "a.test:80", "a.test/x", "*.a.test", "u@a.test", "a b", "[::1]:80", "a\\b", "%61.test"])(
    "refuse the host %j with one line (S8)",
    (host) => {
      expect(() => readAllowList([host], [])).toThrow(EgressConfigError);
    },
  );

  test.each([
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0/8",
    "fd00::/129",
    "a.test/8",
    "10.0.0.0/8/8",
    "fe80::%e/9",
  ])("refuse the block %j with one line", (block) => {
    expect(() => readAllowList([], [block])).toThrow(/^"[^\n]+$/);
  });
});
