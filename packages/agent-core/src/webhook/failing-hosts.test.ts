import { expect, it } from "vitest";
import { FailingHosts } from "./failing-hosts.ts";

it("names hosts whose last webhook was given up, until one is delivered, and at most twenty", () => {
  const hosts = new FailingHosts();
  expect(hosts.delivered("a")).toBe(false);
  hosts.failed("a");
  hosts.failed("b");
  hosts.failed("a");
  expect(hosts.list()).toEqual(["b", "a"]);
  expect(hosts.delivered("a")).toBe(true);
  expect(hosts.delivered("a")).toBe(false);
  expect(hosts.list()).toEqual(["b"]);
  for (let n = 0; n < 30; n += 1) hosts.failed(`host-${n}`);
  expect(hosts.list()).toHaveLength(20);
  expect(hosts.list().at(-1)).toBe("host-29");
});
