/**
 * Options by which a program writes a file, runs another program, or reads settings that do. A list of what is harmless
 * would be safer still and of no use: so anything that resembles one of these is asked about (F10).
 */

/** Words of long options, in any spelling: `--output-file`, `--outputFile`, `--coverage.outputFile`, `--OUTP`. */
const RISKY_WORDS: readonly string[] = [
  ..."output out outfile outdir write save dump log logfile tofile inplace fix update export store record".split(" "),
  ..."exec execdir execute command cmd run runner script shell eval expression program binary bin tool call".split(" "),
  ..."config configuration settings rc rcfile init profile env environment option options define set".split(" "),
  ..."plugin plugins require import preload loader load extension module modules hook hooks rules rulesdir".split(" "),
  ..."pager paginate editor viewer browser open interpreter interactive compiler linker launcher wrapper".split(" "),
  ..."directory dir cwd chdir root rootdir prefix file makefile path gitdir worktree base basetemp temp tmp".split(" "),
  ..."cache location destination dest target report reporter reporters trace cpuprofile snapshot".split(" "),
  ..."junitxml junit xml html delete remove install upload download pack receive remote ssh rsh proxy host".split(" "),
  ..."extdiff textconv ext filter filters pre hostname compress decompress zip checkpoint action".split(" "),
  ..."setup teardown resolver transform transformer transformers parser format formatter global inspect debug".split(
    " ",
  ),
  ..."git node python java ruby perl npm userconfig globalconfig overlay modfile vettool toolexec".split(" "),
  ..."autocorrect correct apply suppress suppressions prune noqa alter create generate baseline migrate merge".split(
    " ",
  ),
  ..."vacuum rotate lost signature coverage cov declaration incremental composite bootstrap prepend extends".split(" "),
  ..."collect diag logger results bisect".split(" "),
  ..."gcflags ldflags asmflags rustc pastebin pdb pdbcls contents files0 unsafe trust allow force project build".split(
    " ",
  ),
];

/** Long options of these programs that a word above names and that are harmless there. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  git: ["cached", "format", "pretty", "diff-filter", "filter", "remote", "remotes"],
  ls: ["format", "directory", "file-type"],
  grep: ["include-dir", "exclude-dir", "files-with-matches", "include", "exclude"],
  rg: ["files", "files-with-matches"],
  wc: ["files0-from"],
  stat: ["format", "file-system"],
  tree: ["dirsfirst"],
  npm: ["silent", "if-present", "json", "workspaces", "offline", "long", "all", "depth", "parseable"],
  pnpm: ["silent", "if-present", "json", "recursive", "offline", "long", "depth", "parseable"],
  yarn: ["silent", "json", "offline"],
  cargo: ["all-targets", "workspace", "all-features", "release", "quiet", "verbose", "locked", "offline", "lib"],
};
/** These take any of their settings as an option, so only what is listed above is harmless. */
const ANY_SETTING: ReadonlySet<string> = new Set([
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "deno",
  "cargo",
  "pip",
  "uv",
  "poetry",
]);

const ALL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const but = (letters: string): string => [...ALL].filter((letter) => !letters.includes(letter)).join("");
/** What `go` may be given, which writes all its options with one dash or two. */
const GO_OPTIONS: ReadonlySet<string> = new Set(
  "v short race count timeout json failfast cover parallel run skip list bench benchmem shuffle".split(" "),
);
/** Of other programs, letters that hardly ever write or run. `-a` corrects files in some. */
const USUAL_LETTERS = "hlnqstvV0123456789";
/** Letters of short options that are harmless, by program. */
const HARMLESS_LETTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["ls", "cat", "head", "tail", "wc", "stat", "du", "df", "pwd", "id", "uname", "whoami", "basename", "dirname"].map(
      (program) => [program, ALL],
    ),
  ),
  ...Object.fromEntries(
    ["echo", "realpath", "readlink", "cut", "tr", "nl", "tac", "comm", "cmp", "sha256sum", "md5sum"].map((program) => [
      program,
      ALL,
    ]),
  ),
  grep: ALL,
  egrep: ALL,
  fgrep: ALL,
  rg: but("z"),
  diff: but("l"),
  sort: but("oTS"),
  tree: but("oR"),
  file: but("Cz"),
  date: but("s"),
  // `branch -D`, `tag -d`, `branch -M`: what shows in one subcommand removes in another.
  git: but("cCOoXxdDmMfF"),
  npm: "s",
  pnpm: "rs",
  yarn: "s",
  cargo: "vqjp0123456789",
  pytest: "vqxslkm0123456789",
};

/** What these show, they set where they are given an argument. */
const SETS_WHAT_IT_SHOWS: ReadonlySet<string> = new Set(["date", "hostname"]);

/** The words of a long option's name. */
function wordsOf(name: string): readonly string[] {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
  return words.split(/[-_.:+]+/).filter((word) => word !== "");
}

/** Letters of a risky word by which a longer one that begins with it is known: `createstub`, `writebaseline`. */
const TELLING_LETTERS = 5;

function resemblesRisky(name: string): boolean {
  const joined = name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
  // A program takes any beginning of an option's name that is not also the beginning of another.
  if (joined === "all") return false;
  return [...wordsOf(name), joined].some((word) =>
    RISKY_WORDS.some((risky) => risky.startsWith(word) || (risky.length >= TELLING_LETTERS && word.startsWith(risky))),
  );
}

function isHarmlessLong(program: string, name: string): boolean {
  const listed = HARMLESS[program]?.includes(name) === true;
  if (ANY_SETTING.has(program)) return listed;
  return listed || !resemblesRisky(name);
}

/** Whether a token of a command of this program may be an option that writes a file or runs a program. */
export function isRisky(program: string, token: string): boolean {
  if (program === "find" && /^[+-][0-9]+[A-Za-z]?$/.test(token)) return false;
  // Files of further arguments, editor commands, settings of make and others.
  if (/^[@+]/.test(token)) return !(program === "date" && token.startsWith("+"));
  if (!token.startsWith("-")) return SETS_WHAT_IT_SHOWS.has(program) || /^[A-Za-z_][A-Za-z0-9_.-]*[:+?]?=/.test(token);
  if (token === "-" || token === "--") return false;
  const [name = ""] = token.replace(/^-+/, "").split("=");
  if (program === "go") return !GO_OPTIONS.has(name);
  if (token.startsWith("--")) return !isHarmlessLong(program, name);
  // `-exec`, `-toolexec`, `-outputdir`: some programs write long options with one dash.
  if (program === "find") return !FIND_TESTS.has(name);
  const letters = HARMLESS_LETTERS[program] ?? USUAL_LETTERS;
  if (name.length > 2 && HARMLESS_LETTERS[program] === undefined && resemblesRisky(name)) return true;
  return token !== `-${name}` || [...name].some((letter) => !letters.includes(letter));
}

/** What `find` may be given; all it can do beyond writes a file, removes one or runs a program. */
const FIND_TESTS: ReadonlySet<string> = new Set(
  (
    "name iname path ipath wholename type size mtime mmin ctime cmin atime amin newer maxdepth mindepth print print0 " +
    "empty depth not and or a o perm user group links follow prune xdev mount daystart readable writable executable " +
    "L H P ls quit true false regex iregex regextype lname samefile inum"
  ).split(" "),
);
