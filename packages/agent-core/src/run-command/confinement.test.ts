import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { Sandbox, SandboxState } from "../process/index.ts";
import { gitGuards, removeRedirections } from "./git-guards.ts";
import { type CommandSettings, Commands, commandsOff } from "./index.ts";

const defaults: CommandSettings = {
  ...{ enabled: true, allow_run: true, run_requires_approval: true, run_auto_approve: [], run_env: [] },
  ...{ sandbox: "auto", run_network: "approved" },
};
const by: Sandbox = { provider: "bubblewrap", endsAll: true, wrap: () => ["true"] };
const usable: SandboxState = { usable: true, sandbox: by };
const missing: SandboxState = { usable: false, provider: "bubblewrap", reason: "not installed" };

test.each<[Partial<CommandSettings>, SandboxState, string | undefined]>([
  [{}, usable, undefined],
  [{}, missing, undefined],
  [{ enabled: false }, usable, "switch it off"],
  [{ allow_run: false }, usable, "switch it off"],
  [{ sandbox: "required" }, usable, undefined],
  [{ sandbox: "required" }, missing, "filesystem.sandbox is required, and no sandbox is usable: not installed"],
  [{ run_network: "never" }, usable, undefined],
  [{ run_network: "never" }, missing, "filesystem.run_network is never, and no sandbox is usable"],
  [{ run_network: "never", sandbox: "off" }, usable, "the sandbox that is off"],
  [{ sandbox: "off" }, usable, undefined],
])("with %j and %j there is a run_command, or it is said why not: %s (F14, F15)", (given, state, why) => {
  const off = commandsOff({ ...defaults, ...given }, state);
  if (why === undefined) expect(off).toBeUndefined();
  else expect(off).toContain(why);
});

describe("the network of a command (F15)", () => {
  const confinement = (
    given: Partial<CommandSettings>,
    { open = false, seen = true, state = usable as SandboxState } = {},
  ) =>
    new Commands({
      settings: () => ({ ...defaults, ...given }),
      sandbox: () => state,
      isOpen: () => open,
    } as never).confinement(seen);

  it("is for commands that a person approved, for all, or for none", () => {
    expect([confinement({}), confinement({}, { seen: false })]).toEqual([
      { by, network: true },
      { by, network: false },
    ]);
    expect(confinement({ run_network: "always" }, { seen: false }).network).toBe(true);
    expect(confinement({ run_network: "never" }).network).toBe(false);
  });

  it("is for none that runs in a sandbox while the service takes requests without a credential", () => {
    expect(confinement({}, { open: true })).toEqual({
      by,
      network: false,
      note: expect.stringContaining("auth.token"),
    });
    expect(confinement({}, { open: true, seen: false })).toEqual({ by, network: false });
  });

  it("cannot be taken away without a sandbox", () => {
    expect(confinement({ sandbox: "off" }, { seen: false })).toEqual({ by: undefined, network: true });
    expect(confinement({}, { seen: false, state: missing })).toEqual({ by: undefined, network: true });
  });
});

describe("repositories of a project, for a command without approval by a person", () => {
  const make = (files: readonly string[]): string => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "guards-")));
    for (const file of files) {
      mkdirSync(join(root, file, ".."), { recursive: true });
      if (file.endsWith("/")) mkdirSync(join(root, file), { recursive: true });
      else writeFileSync(join(root, file), "");
    }
    return root;
  };

  it("keep their settings and hooks, at any depth, also where those are named elsewhere", async () => {
    const root = make([
      ".git/config",
      ".git/hooks/",
      "a/b/c/.git/config",
      "a/b/c/.GIT/hooks/",
      "sub/.git",
      "bare/.git/",
    ]);
    writeFileSync(join(root, ".git/config"), "[core]\n\thooksPath = .husky\n");
    const { readOnly, pinned } = await gitGuards(root);
    expect(pinned).toEqual([join(root, ".git")]);
    expect(readOnly).toEqual(
      expect.arrayContaining([
        ...[".git/config", ".git/hooks", ".husky", ".git/modules", "sub/.git", "bare/.git", "a/b/c/.git"].map((path) =>
          join(root, path),
        ),
      ]),
    );
  });

  it("lose what a command left in them to lead git to other settings, where the repository is still in its place", async () => {
    const root = make([".git/commondir", "lib/.git/config"]);
    symlinkSync(join(root, ".git"), join(root, "linked"));
    expect(await removeRedirections([join(root, "linked"), join(root, "lib/.git"), join(root, "none")])).toEqual([]);
    expect(await removeRedirections([join(root, ".git")])).toEqual([join(root, ".git")]);
    expect(existsSync(join(root, ".git/commondir"))).toBe(false);
  });

  it("are read-only as a whole where they take their settings from elsewhere", async () => {
    const root = make([".git/config", ".git/hooks/", ".git/commondir"]);
    expect(await gitGuards(root)).toEqual({ readOnly: [join(root, ".git")], pinned: [] });
  });

  it("are read-only with the whole project where a link stands in the place of one", async () => {
    const root = make(["x/"]);
    symlinkSync("/elsewhere", join(root, "x/.git"));
    expect(await gitGuards(root)).toEqual({ readOnly: [root], pinned: [] });
  });
});
