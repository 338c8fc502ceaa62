import { manualClock } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import { HandoffOffers } from "./handoff-offers.ts";

function bench() {
  const clock = manualClock(0);
  let ids = 0;
  const offers = new HandoffOffers({ clock, newId: () => `o${++ids}`, userHome: "/home/ann" });
  const add = (session: string, root?: string): string =>
    offers.add({
      session,
      project: root === undefined ? undefined : { name: root, root },
      path: null,
      line: null,
      title: null,
    }).id;
  return { clock, offers, add, claim: (folder: string) => offers.claim(folder)?.session };
}

it.each([
  ["/w/app", true],
  ["/w/app/src/deep/er/still", true],
  ["/w", true],
  ["/w/application", false],
  ["/w/other", false],
])("matches a project's folder, those in it and those above it: %s %s", (folder, matches) => {
  const { add, claim } = bench();
  add("s", "/w/app");
  expect(claim(folder)).toBe(matches ? "s" : undefined);
});

it("reaches three levels up, never the root of the file system, and the home only without a project", () => {
  const { add, claim } = bench();
  add("s", "/a/b/c/d");
  expect([claim("/a"), claim("/a")]).toEqual(["s", undefined]);
  add("s", "/a/b/c/d/e");
  expect(claim("/a")).toBeUndefined();
  add("near", "/a");
  expect(claim("/")).toBeUndefined();
  add("in home", "/home/ann/app");
  expect(claim("/home/ann")).toBeUndefined();
  expect(claim("/home")).toBe("in home");
  add("any");
  expect([claim("/"), claim("/home/ann")]).toEqual([undefined, "any"]);
});

it("keeps one per root and one per conversation at the same time, and gives the newest that matches", () => {
  const { add, claim, offers } = bench();
  add("one", "/a");
  add("two", "/a");
  expect([claim("/a"), claim("/a")]).toEqual(["two", undefined]);
  add("one", "/a");
  add("one", "/b");
  expect([claim("/a"), claim("/b")]).toEqual([undefined, "one"]);
  add("one", "/a");
  add("two");
  add("three", "/b");
  expect(claim("/a")).toBe("two");
  expect([claim("/a"), claim("/a")]).toEqual(["one", undefined]);
  offers.forget("three");
  expect(claim("/b")).toBeUndefined();
  const id = add("four", "/b");
  offers.withdraw(id);
  expect(claim("/b")).toBeUndefined();
});

it("ends after 120 s, and holds 100 at most", async () => {
  const { add, claim, clock } = bench();
  add("s", "/a");
  await clock.advance(119_999);
  add("later", "/b");
  await clock.advance(1);
  expect([claim("/a"), claim("/b")]).toEqual([undefined, "later"]);
  for (let count = 0; count <= 100; count++) add(`s${count}`);
  const all = Array.from({ length: 101 }, () => claim("/a"));
  expect([all[0], all[99], all[100]]).toEqual(["s100", "s1", undefined]);
});
