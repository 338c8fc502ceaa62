import { describe, expect, test } from "vitest";
import { fitsPattern, parseRepositoryAddress } from "./index.ts";

describe("an address of a repository (F20)", () => {
  test.each([
    ["example/app", "https://github.com/example/app", "github.com/example/app"],
    ["git.example.org/Group/app.git", "https://git.example.org/Group/app.git", "git.example.org/group/app"],
    ["git.example.org:8443/a/b", "https://git.example.org:8443/a/b", "git.example.org:8443/a/b"],
    ["https://GIT.example.org:443/a/b/", "https://git.example.org/a/b", "git.example.org/a/b"],
    ["http://[::1]:80/a/b", "http://[::1]/a/b", "[::1]/a/b"],
    ["ssh://git@git.example.org:2222/a/b.git", "ssh://git@git.example.org:2222/a/b.git", "git.example.org:2222/a/b"],
    ["git@github.com:example/app.git", "ssh://git@github.com/example/app.git", "github.com/example/app"],
  ])("%s is %s", (given, url, key) => {
    expect(parseRepositoryAddress(given)).toMatchObject({ url, key });
  });

  test.each([
    ...["", "app", "-u/x", "--upload-pack=x", "https://user@git.example.org/a/b", "https://u:p@git.example.org/a/b"],
    ...["ssh://git:p@h/a/b", "file:///etc", "ext::sh -c id", "https://git.example.org/a/../b/-c", "a/b c", "a/b\nc"],
    ...["https://git.example.org/a/b?x", "https://git.example.org/a/b#x", "git@-oProxyCommand=x:a/b", "a/-b"],
    ...["ssh://-oProxyCommand=x/a/b", "ssh://h$(id)/a/b", "https://git.example.org/a%2fb/c"],
  ])("%j is none", (given) => {
    expect(() => parseRepositoryAddress(given)).toThrow(expect.objectContaining({ code: "onboarding.invalid" }));
  });
});

test("a pattern fits a part with *, parts with **, without case, and a host at its own port only (F20)", () => {
  const fits = (key: string) =>
    ["github.com/example/*", "GIT.example.org/**", "h:8443/a/b"].filter((one) => fitsPattern(key, one));
  expect(fits("github.com/example/app")).toHaveLength(1);
  expect(fits("github.com/example/app/deeper")).toHaveLength(0);
  expect(fits("github.com/examples/app")).toHaveLength(0);
  expect(fits("githubxcom/example/app")).toHaveLength(0);
  expect(fits("git.example.org/a/b/c")).toHaveLength(1);
  expect([fits("h/a/b"), fits("h:8443/a/b")].map(({ length }) => length)).toEqual([0, 1]);
});
