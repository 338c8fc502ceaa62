import { expect, it } from "vitest";
import { seatbelt } from "./seatbelt.ts";

it("writes the rules of macOS as text, in the order that decides, with names that cannot end a string (PR5)", () => {
  const policy = {
    writable: ['/Users/ada/pro"ject'],
    readOnly: ['/Users/ada/pro"ject/.git/config'],
    pinned: ['/Users/ada/pro"ject/.git'],
    hidden: ["/Users/ada/.ssh", '/Users/ada/pro"ject/store'],
    network: false,
  };
  const [program, flag, profile, ...argv] = seatbelt.wrap(["/usr/bin/make", "a b"], policy, "/");
  expect([program, flag, argv]).toEqual(["/usr/bin/sandbox-exec", "-p", ["/usr/bin/make", "a b"]]);
  expect(profile?.split("\n")).toEqual([
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/dev/null") (subpath "/dev/tty") (subpath "/dev/dtracehelper"))',
    '(deny file-read* (subpath "/Users/ada/.ssh"))',
    '(allow file-read* file-write* (subpath "/Users/ada/pro\\"ject"))',
    '(deny file-write* (subpath "/Users/ada/pro\\"ject/.git/config"))',
    '(deny file-write-unlink (literal "/Users/ada/pro\\"ject/.git"))',
    '(deny file-read* file-write* (subpath "/Users/ada/pro\\"ject/store"))',
    "(deny network*)",
    "(deny signal (target others))",
    "(deny process-info* (target others))",
  ]);
  expect(seatbelt.wrap([], { ...policy, network: true }, "/")[2]).not.toContain("network");
});
