import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bubblewrap } from "./bubblewrap.ts";
import { probeSandbox } from "./index.ts";

it("mounts what is deeper later, by real paths, and leaves out what does not exist (PR5)", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bubblewrap-")));
  mkdirSync(join(home, "work/.git/hooks"), { recursive: true });
  mkdirSync(join(home, "keys"));
  writeFileSync(join(home, "netrc"), "secret");
  symlinkSync(join(home, "keys"), join(home, ".ssh"));
  const [program, ...args] = bubblewrap("/usr/bin/bwrap").wrap(
    ["make", "--bind"],
    {
      writable: [join(home, "work")],
      readOnly: [join(home, "work/.git/hooks")],
      pinned: [join(home, "work/.git")],
      hidden: [join(home, ".ssh"), join(home, "netrc"), join(home, "missing"), home],
      network: false,
    },
    join(home, "work"),
  );
  expect(program).toBe("/usr/bin/bwrap");
  expect(args).toContain("--unshare-net");
  const from = args.indexOf(home) - 1;
  expect(args.slice(from)).toEqual([
    ...["--tmpfs", home, "--bind", join(home, "work"), join(home, "work"), "--tmpfs", join(home, "keys")],
    ...["--ro-bind", "/dev/null", join(home, "netrc"), "--bind", join(home, "work/.git"), join(home, "work/.git")],
    ...["--ro-bind", join(home, "work/.git/hooks"), join(home, "work/.git/hooks"), "--remount-ro", home],
    ...["--remount-ro", join(home, "keys"), "--chdir", join(home, "work"), "--", "make", "--bind"],
  ]);
});

it("says why there is no sandbox where there is none", async () => {
  expect(await probeSandbox("/nowhere", "linux")).toEqual({
    usable: false,
    provider: "bubblewrap",
    reason: "bubblewrap (bwrap) is not installed",
  });
  expect(await probeSandbox("/usr/bin", "win32")).toMatchObject({ usable: false, reason: "there is none for win32" });
  const folder = mkdtempSync(join(tmpdir(), "bubblewrap-"));
  writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho 'No permissions to create a namespace' >&2\nexit 1\n", {
    mode: 0o755,
  });
  expect(await probeSandbox(folder, "linux")).toMatchObject({ reason: "No permissions to create a namespace" });
});
