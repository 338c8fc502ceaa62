/** Repositories whose own files name programs that git would run: each names one that leaves a mark behind. */
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A repository that is being made. */
interface Making {
  /** The folder of the project. */
  readonly root: string;
  /** A program that leaves the mark of this repository. */
  readonly canary: string;
  git(...args: string[]): string;
  put(path: string, content: string): void;
  /** Adds to the settings of the repository. */
  configure(lines: string): void;
}

/** A way to have git run something. */
export interface HostileRepository {
  readonly name: string;
  /** Makes it out of a repository with one commit and a changed file. */
  readonly make: (making: Making) => void;
  /** Plain `git status` or `git diff` runs the program: it shows that the trap works. */
  readonly springs?: true;
}

const HOOKS = ["post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"];

function writeHooks({ canary, put, root }: Making, folder: string): void {
  for (const hook of HOOKS) {
    put(`${folder}/${hook}`, readFileSync(canary, "utf8"));
    chmodSync(join(root, folder, hook), 0o755);
  }
}

export const HOSTILE_REPOSITORIES: readonly HostileRepository[] = [
  { name: "fsmonitor", springs: true, make: ({ configure, canary }) => configure(`[core]\nfsmonitor = ${canary}\n`) },
  {
    name: "clean-filter",
    springs: true,
    make({ configure, canary, put }) {
      put(".gitattributes", "* filter=evil\n");
      configure(`[filter "evil"]\nclean = ${canary}\nsmudge = ${canary}\nrequired = true\n`);
    },
  },
  {
    name: "process-filter",
    springs: true,
    make({ configure, canary, put }) {
      put(".gitattributes", "* filter=evil\n");
      configure(`[filter "evil"]\nprocess = ${canary}\n`);
    },
  },
  {
    name: "textconv",
    springs: true,
    make({ configure, canary, put }) {
      put(".gitattributes", "* diff=evil\n");
      configure(`[diff "evil"]\ntextconv = ${canary}\n`);
    },
  },
  {
    name: "external-diff",
    springs: true,
    make: ({ configure, canary }) => configure(`[diff]\nexternal = ${canary}\n`),
  },
  {
    name: "diff-driver",
    springs: true,
    make({ configure, canary, put }) {
      put(".gitattributes", "* diff=evil\n");
      configure(`[diff "evil"]\ncommand = ${canary}\n`);
    },
  },
  { name: "hooks", springs: true, make: (making) => writeHooks(making, ".git/hooks") },
  {
    name: "hooks-path",
    springs: true,
    make(making) {
      writeHooks(making, "tools");
      making.configure("[core]\nhooksPath = tools\n");
    },
  },
  {
    name: "pager",
    make: ({ configure, canary }) =>
      configure(`[core]\npager = ${canary}\n[pager]\ndiff = ${canary}\nstatus = ${canary}\n`),
  },
  {
    name: "ssh-command",
    make({ configure, canary, git, root }) {
      configure(
        `[core]\nsshCommand = ${canary}\n[remote "origin"]\nurl = ssh://x/y\npromisor = true\npartialclonefilter = blob:none\n[extensions]\npartialClone = origin\n[core]\nrepositoryformatversion = 1\n`,
      );
      const blob = git("rev-parse", "HEAD:a.txt").trim();
      rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    },
    springs: true,
  },
  {
    name: "include",
    springs: true,
    make({ configure, canary, put }) {
      put("settings", `[core]\nfsmonitor = ${canary}\n`);
      configure("[include]\npath = ../settings\n");
    },
  },
  {
    name: "conditional-include",
    springs: true,
    make({ configure, canary, put }) {
      put("settings", `[core]\nfsmonitor = ${canary}\n`);
      configure('[includeIf "gitdir:**"]\npath = ../settings\n');
    },
  },
  {
    name: "git-file",
    springs: true,
    make({ configure, canary, root }) {
      configure(`[core]\nfsmonitor = ${canary}\n`);
      renameSync(join(root, ".git"), join(root, "hidden"));
      writeFileSync(join(root, ".git"), "gitdir: hidden\n");
    },
  },
  {
    name: "git-file-that-points-back",
    springs: true,
    make({ configure, canary, root }) {
      configure(`[core]\nfsmonitor = ${canary}\nworktree = ${root}\n`);
      renameSync(join(root, ".git"), join(root, "hidden"));
      writeFileSync(join(root, ".git"), "gitdir: hidden\n");
    },
  },
  {
    name: "submodule",
    springs: true,
    make({ canary, git, put, root }) {
      mkdirSync(join(root, "module"));
      git("-C", "module", "init", "-q");
      put("module/inner.txt", "1\n");
      git("-C", "module", "add", "-A");
      git("-C", "module", "commit", "-qm", "inner");
      git("-c", "advice.addEmbeddedRepo=false", "add", "module");
      git("commit", "-qm", "with a module");
      put("module/inner.txt", "2\n");
      appendFileSync(join(root, "module/.git/config"), `[core]\nfsmonitor = ${canary}\n`);
    },
  },
  {
    name: "nested",
    make({ canary, git, put, root }) {
      mkdirSync(join(root, "nested"));
      git("-C", "nested", "init", "-q");
      put("nested/inner.txt", "1\n");
      appendFileSync(join(root, "nested/.git/config"), `[core]\nfsmonitor = ${canary}\n`);
    },
  },
  {
    name: "crafted-names",
    make({ canary, git, put }) {
      // A name has no slash: the program is found from the folder.
      for (const name of [
        `--output=x`,
        `-O$(${canary.slice(1)})`,
        "`id`",
        "a\nb",
        '"; id; "',
        ":(exec)",
        "!id",
        "--ext-diff",
      ])
        put(`names/${name.replaceAll("/", "_")}`, "1\n");
      git("add", "-A");
      git("commit", "-qm", "names");
      put("names/a\nb", "2\n");
    },
  },
  {
    name: "worktree-config",
    springs: true,
    make({ configure, canary, put }) {
      configure("[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\n");
      put(".git/config.worktree", `[core]\nfsmonitor = ${canary}\n`);
    },
  },
  {
    name: "aliases-and-helpers",
    make: ({ configure, canary }) =>
      configure(
        `[alias]\nstatus = !${canary}\ndiff = !${canary}\nupdate-index = !${canary}\n[core]\neditor = ${canary}\naskPass = ${canary}\n[credential]\nhelper = ${canary}\n[gpg]\nprogram = ${canary}\n[log]\nshowSignature = true\n`,
      ),
  },
  {
    name: "own-attributes",
    springs: true,
    make({ configure, canary, put }) {
      put(".git/info/attributes", "* filter=evil diff=evil\n");
      configure(`[filter "evil"]\nclean = ${canary}\n[diff "evil"]\ntextconv = ${canary}\n`);
    },
  },
  {
    name: "bare-inside",
    springs: true,
    make({ canary, root }) {
      for (const name of ["HEAD", "objects", "refs", "config"]) renameSync(join(root, ".git", name), join(root, name));
      rmSync(join(root, ".git"), { recursive: true });
      const config = readFileSync(join(root, "config"), "utf8");
      writeFileSync(join(root, "config"), `${config}[core]\nbare = false\nworktree = ${root}\nfsmonitor = ${canary}\n`);
    },
  },
];

/** Makes one below `base`; its program leaves the file `<base>/marks/<name>`. Resolves with the project's folder. */
export function makeHostile({ name, make }: HostileRepository, base: string): string {
  const root = join(base, "projects", name);
  mkdirSync(join(base, "projects", name), { recursive: true });
  mkdirSync(join(base, "marks"), { recursive: true });
  mkdirSync(join(base, "canaries"), { recursive: true });
  const canary = join(base, "canaries", name);
  // It works as a filter, too: what it reads is what it writes. As ssh it would wait for git, which waits for it.
  const filter = 'case "$*" in *git-upload-pack*) exit 1 ;; esac\n[ -t 0 ] || cat\n';
  writeFileSync(canary, `#!/bin/sh\necho "$0 $*" >> '${join(base, "marks", name)}'\n${filter}`);
  chmodSync(canary, 0o755);
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const git = (...args: string[]): string => gitIn(root, args);
  git("init", "-q", "-b", "main");
  put("a.txt", "one\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  put("a.txt", "two\n");
  put("new.txt", "new\n");
  make({ root, canary, put, git, configure: (lines) => appendFileSync(join(root, ".git/config"), lines) });
  rmSync(join(base, "marks", name), { force: true });
  return root;
}

/** Runs plain git in a folder. */
export function gitIn(folder: string, args: readonly string[]): string {
  const who = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER_IN_USE: "1" };
  return execFileSync("git", [...who, ...args], { cwd: folder, env, stdio: "pipe", timeout: 60_000 }).toString();
}
