/**
 * Programs that run or write what their arguments say, also those after the ones an entry names, so that no beginning of a
 * command says what it does.
 */
const LAUNCHERS: ReadonlySet<string> = new Set(
  (
    "sh bash dash zsh ksh fish csh tcsh ash pwsh powershell cmd busybox toybox env command exec eval source . " +
    "sudo doas su runuser pkexec chroot unshare nsenter setsid setpriv nohup nice ionice chrt taskset timeout time watch " +
    "stdbuf script expect unbuffer strace ltrace gdb lldb valgrind perf xargs parallel entr make gmake cmake ninja " +
    "npx pnpx bunx uvx pipx dlx tsx ts-node ssh scp sftp rsync socat nc ncat netcat telnet curl wget ftp " +
    "vi vim nvim view emacs nano ed ex less more most man awk gawk mawk nawk sed ld.so crontab at batch " +
    "systemctl systemd-run service launchctl open xdg-open osascript start docker podman nerdctl kubectl helm " +
    "just task rake turbo nx lerna gradle gradlew mvn ant tee dd split csplit uniq install cp mv ln rm shred truncate mkfifo mknod chmod chown bwrap firejail flock " +
    "tar zip unzip gzip gunzip bzip2 xz zstd 7z cpio pax ar touch mkdir rmdir patch xxd sponge rename strip ld gcc g++ cc clang " +
    "dc m4 tmux screen sqlite3 psql mysql redis-cli octave R julia ocaml jshell ghci runghc erl elixir iex sbcl mksh yash nu elvish " +
    "rlwrap direnv mise asdf corepack prlimit setarch fakeroot proxychains proxychains4 torsocks dbus-send catchsegv " +
    "aria2c http https code idea convert magick ffmpeg pandoc gs gnuplot latex pdflatex xelatex lualatex tox nox"
  ).split(" "),
);
/** Programs whose first argument says what they do. */
const BY_SUBCOMMAND: ReadonlySet<string> = new Set(
  (
    "git gh glab npm pnpm yarn bun deno cargo go rustup pip pip3 uv poetry pdm hatch conda dotnet " +
    "composer bundle gem mix apt apt-get dnf yum apk brew nix python python2 python3 pypy node nodejs perl ruby " +
    "php lua luajit Rscript java scala kotlin groovy tclsh guile " +
    "swift zig rails django-admin terraform tofu pulumi vagrant aws gcloud az ansible bazel openssl flutter dart pre-commit"
  ).split(" "),
);
const INTERPRETERS: ReadonlySet<string> = new Set(
  "python python2 python3 pypy node nodejs perl ruby php lua luajit Rscript java scala kotlin groovy tclsh guile".split(
    " ",
  ),
);
/** Subcommands that run what follows them, by program. */
const BROAD_SUBCOMMANDS: Readonly<Record<string, string>> = {
  git: "config submodule bisect rebase filter-branch difftool mergetool alias hook maintenance daemon gui worktree init clone fetch pull push remote-ext credential archive bundle help ls-remote",
  gh: "api alias extension ext codespace cs repo",
  npm: "run run-script rum urn exec x explore edit config set pkg init create install-test",
  pnpm: "run exec dlx create config set env patch",
  yarn: "run exec dlx node create config",
  bun: "run x exec create",
  deno: "run eval task repl serve install",
  cargo: "run r install rustc rustdoc script",
  go: "run generate tool env",
  uv: "run tool pip",
  poetry: "run shell config",
  pdm: "run config",
  hatch: "run shell",
  conda: "run",
  bundle: "exec config",
  dotnet: "run exec tool",
  nix: "run shell develop",
  swift: "run package",
  zig: "run build init",
  rails: "runner r console c dbconsole generate g destroy new",
  "django-admin": "shell dbshell startproject startapp runserver",
  bazel: "run",
  dart: "run pub",
  flutter: "run pub",
  "pre-commit": "run install try-repo",
};
/** Subcommands of git that show or change by what follows them, with what follows where they show. */
const GIT_SHOWS: Readonly<Record<string, string>> = {
  branch: "--list -l --show-current",
  tag: "--list -l",
  remote: "get-url",
  stash: "list show",
  reflog: "show exists",
  notes: "list show",
  replace: "--list -l",
  "symbolic-ref": "",
  "sparse-checkout": "list",
  lfs: "",
};
/** Subcommands that become precise by one token more. */
const NEEDS_MORE: ReadonlySet<string> = new Set(["run", "run-script", "task"]);

/** Why these tokens say too little of what is run; undefined: they say enough. */
export function tooBroad([program = "", ...rest]: readonly string[]): string | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (LAUNCHERS.has(name) || /^(?:python|perl|ruby|php|lua|node)[0-9.]+$/.test(name)) {
    return `${name} runs or writes whatever its arguments say`;
  }
  if (program.includes("/") && !program.startsWith("/")) return "a program of a project can be changed by the agent";
  if (!BY_SUBCOMMAND.has(name)) return undefined;
  const [subcommand, more] = rest;
  if (subcommand === undefined || subcommand === "" || subcommand.startsWith("-")) return `${name} alone says nothing`;
  if (INTERPRETERS.has(name)) return undefined;
  const shows = name === "git" ? GIT_SHOWS[subcommand]?.split(" ") : undefined;
  if (shows?.includes(more || "nothing") === false) return `git ${subcommand} shows or changes, as its arguments say`;
  const isBroad = BROAD_SUBCOMMANDS[name]?.split(" ").includes(subcommand) === true;
  if (!isBroad || (NEEDS_MORE.has(subcommand) && more !== undefined && more !== "" && !more.startsWith("-"))) {
    return undefined;
  }
  return `${name} ${subcommand} runs or changes whatever its arguments say`;
}
