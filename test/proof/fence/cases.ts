/** Paths that must be refused, each with the only codes that it may be refused with; and some that must be reached. */
import type { FenceRefusalCode } from "../../../packages/agent-core/src/index.ts";
import type { World } from "./world.ts";

/** What somebody wants of a path: a look at its content, at the names in it, or a change. */
export type Wanted = "read" | "tree" | "write" | "edit" | "delete";

export interface FenceCase {
  readonly kind: string;
  readonly project: string;
  readonly path: string;
  /** Undefined: it is reached, and what is read is the project's own. */
  readonly refused: readonly FenceRefusalCode[] | undefined;
  /** Default: all. */
  readonly wanted?: readonly Wanted[];
}

type Make = Omit<FenceCase, "kind" | "path" | "project">;

/** The same path in other words: none of them leads elsewhere. */
function spellings(path: string): readonly string[] {
  const isAbsolute = path.startsWith("/");
  const parts = path.split("/").filter((part) => part !== "");
  const joined = (separator: string): string => (isAbsolute ? "/" : "") + parts.join(separator);
  return [
    path,
    joined("//"),
    joined("/./"),
    `${joined("/")}/.`,
    ...(isAbsolute
      ? [`/${joined("/")}`, `/.${joined("/")}`]
      : [`./${path}`, `src/../${path}`, `src/deep/../../${path}`]),
  ];
}

const OUTSIDE: Make = { refused: ["fence.outside"] };
const MISSING: Make = { refused: ["fence.missing"] };
const DENIED: Make = { refused: ["fence.denied"] };

const SECRETS = [
  ".env",
  ".env.local",
  "tls.key",
  ".ssh/id_rsa",
  "none/.aws/x",
  "k.pem",
  "id_ed25519",
  ".netrc",
  "gcloud/a",
];

/** Spellings that some file system takes for the same name. */
function folded(name: string): readonly string[] {
  const middle = Math.ceil(name.length / 2);
  const withSign = (sign: string): string => name.slice(0, middle) + sign + name.slice(middle);
  return [
    name.toUpperCase(),
    name.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    withSign("\u200b"),
    withSign("\u00ad"),
    withSign("\ufe0f"),
    `${name}.`,
    `${name} `,
    name.replace("s", "\u017f"),
  ];
}

type Add = (kind: string, project: string, paths: readonly string[], make: Make) => void;

/** A link itself may be deleted. */
const LOOKING: readonly Wanted[] = ["read", "tree", "write", "edit"];
/**
 * Of what lies outside of the world nothing is ever changed, whatever the guard does: the proof is also run with a guard that is
 * broken on purpose, and it must not cost the machine its files.
 */
const READING: readonly Wanted[] = ["read"];
const CHANGING: readonly Wanted[] = ["write", "edit", "delete"];

/** Every case of a world; those that are refused change nothing, so they run in any order. */
export function fenceCases(world: World): readonly FenceCase[] {
  const app = world.projects.find(({ name }) => name === "app")!.path;
  const cases: FenceCase[] = [];
  const add: Add = (kind, project, paths, make) => {
    for (const path of paths) cases.push({ kind, project, path, ...make });
  };
  addPaths(add, world, app);
  addLinks(add);
  addDenied(add, world, app);
  addRights(add, world, app);
  addOthers(add, app);
  return cases;
}

function addPaths(add: Add, { outside }: World, app: string): void {
  for (const path of [
    "../../outside/canary.txt",
    "..",
    "../..",
    "../readonly/g.txt",
    "src/../../b.txt",
    "../app/../b.txt",
    "inner/../../b.txt",
  ])
    add("dots", "app", spellings(path), OUTSIDE);
  for (const path of [`${outside}/canary.txt`, `${app}/../b.txt`, `${app}x/a.txt`])
    add("absolute", "app", spellings(path), OUTSIDE);
  const elsewhere = { ...OUTSIDE, wanted: READING };
  for (const path of ["/etc/passwd", "/proc/self/environ", "/"]) add("absolute", "app", spellings(path), elsewhere);
  add("absolute", "app", ["~", "~/.ssh/id_rsa", "~/x/../y", "/proc/self/root/etc/passwd", "/dev/zero"], elsewhere);
}

function addLinks(add: Add): void {
  const links = [
    "to-file",
    "to-file-absolute",
    "to-folder/canary.txt",
    "to-folder-absolute/canary.txt",
    "to-parent/b.txt",
  ];
  for (const path of ["to-root/etc/passwd", "to-process/etc/passwd", "to-cwd/package.json"])
    add("link", "app", spellings(path), { ...OUTSIDE, wanted: READING });
  const more = ["winding", "src/deep/up/canary.txt"];
  for (const path of [...links, ...more]) add("link", "app", spellings(path), { ...OUTSIDE, wanted: LOOKING });
  add("link", "app", ["to-home/compiled/main.js", "to-folder/none/x"], OUTSIDE);
  add("link", "app", ["to-missing-outside", "to-home-absolute"], { ...OUTSIDE, wanted: LOOKING });
  for (let length = 0; length <= 8; length++) add("chain", "app", spellings(`chain-${length}/canary.txt`), OUTSIDE);
  add("loop", "app", ["loop", "loop-a", "long-45"], { ...MISSING, wanted: LOOKING });
  add("loop", "app", ["loop/x", "loop-b/x", "long-44/x"], MISSING);
  add("hard link", "app", ["hard-home.js", "./hard-home.js", "inside-folder/../hard-home.js"], MISSING);
}

function addDenied(add: Add, { hasDevices }: World, app: string): void {
  const special = ["pipe", "src/pipe", "inside-folder/pipe", "socket", ...(hasDevices ? ["zero", "null"] : [])];
  for (const path of special)
    add("special", "app", spellings(path).slice(0, 3), { refused: ["fence.not-a-file", "fence.not-a-folder"] });
  for (const name of SECRETS) add("secret", "app", [name, ...folded(name)], DENIED);
  for (const name of SECRETS.slice(0, 4))
    add("secret", "app", [`src/../${name}`, `${app}/${name}`, `none/${name}/x`], DENIED);
  add("secret", "app", ["to-secret", "to-secret/x"], { ...DENIED, wanted: LOOKING });
  add("git", "app", [".GIT/config", ".Git/config", ".g\u200cit/config"], {
    refused: ["fence.denied", "fence.missing"],
  });
  add("git", "app", [".git/config", "sub/.git/config", "to-git", ".git/./config"], {
    ...DENIED,
    wanted: LOOKING,
  });
  for (const name of [".git", ".GIT", ".git.", ".g\u200cit", "src/.git", "src/deep/.Git"])
    add("git", "app", [`${name}/hooks/pre-commit`, `${name}/new`], {
      refused: ["fence.denied", "fence.missing"],
      wanted: CHANGING,
    });
  add("git", "app", [".git/HEAD", "./.git/HEAD"], { ...DENIED, wanted: CHANGING });
}

function addRights(add: Add, { home, config, hasMounts }: World, app: string): void {
  if (hasMounts)
    for (const path of [
      "mounted",
      "mounted/compiled/main.js",
      "mounted/checkpoints.db.copy",
      `${app}/mounted/logs/log.txt`,
    ])
      add("protected", "app", spellings(path).slice(0, 4), MISSING);
  add("rights", "inner", spellings("d.txt").slice(0, 3), { refused: ["fence.read-only"], wanted: CHANGING });
  add("rights", "app", ["inner/d.txt", "src/../inner/d.txt"], { refused: ["fence.read-only"], wanted: CHANGING });
  add("rights", "all", ["app/inner/d.txt", "readonly/g.txt"], { refused: ["fence.read-only"], wanted: CHANGING });
  add("rights", "all", ["app/kept/e.txt"], { refused: ["fence.deletes-forbidden"], wanted: ["delete"] });
  add("rights", "app", ["hidden/f.txt", "hidden", "to-hidden/f.txt", "./hidden/f.txt"], MISSING);
  add("rights", "inner", ["../a.txt", "../inner/../a.txt", "..", `${app}/a.txt`], OUTSIDE);
  for (const path of [
    "home",
    "home/compiled/main.js",
    "home/checkpoints.db",
    "home/logs/log.txt",
    "config/secrets.copy",
  ])
    add("protected", "all", [...spellings(path).slice(0, 4), `app/../${path}`], MISSING);
  add(
    "protected",
    "all",
    ["app/to-home/compiled/main.js", "app/to-home-absolute/x", "home/workspace", `${home}/x`, config],
    MISSING,
  );
}

function addOthers(add: Add, app: string): void {
  const long = "x".repeat(255);
  add("long", "app", [`${long}x`, `${long}${long}`, `a.txt/${long}`], {
    ...MISSING,
    wanted: ["read", "tree", "delete"],
  });
  add("long", "app", ["x/".repeat(2_049), "../".repeat(1_366), `${"y".repeat(4_097)}`], {
    refused: ["fence.bad-path"],
  });
  add("long", "app", [`${"./".repeat(2_040)}../b.txt`, `${"src/../".repeat(580)}../b.txt`], OUTSIDE);
  add("unreadable", "app", ["a\0.txt", "\0", "src/\0/../../b.txt"], { refused: ["fence.bad-path"] });
  // A folder may be left out.
  add("unreadable", "app", [""], { refused: ["fence.bad-path"], wanted: ["read", "write", "edit", "delete"] });
  add("missing", "app", ["none", "a.txt/x", "src/none/x", "\ud800", "cafe\u0301.txt"], {
    ...MISSING,
    wanted: ["read", "tree", "delete"],
  });
  add("unknown", "none", ["a.txt", ".", "../x"], { refused: ["fence.unknown-project"] });
  const reading: Make = { refused: undefined, wanted: ["read"] };
  add("reached", "app", [...spellings("a.txt"), "inside", "inside-folder/b.txt", "caf\u00e9.txt"], reading);
  add("reached", "APP", ["src/deep/c.txt", `${app}/a.txt`, "inner/d.txt", ".git/HEAD", "long-39"], reading);
  add("reached", "all", ["app/a.txt", "readonly/g.txt", "app/kept/e.txt"], reading);
  // Reading what was linked into a project is no escape; writing through the link would be.
  add("hard link", "app", ["hard.txt"], { refused: undefined, wanted: ["write"] });
}
