import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compose, createLiveSettings, openSecrets } from "../../../apps/server/src/index.ts";
import { temporaryFolders, textOf, wireTo } from "../../../apps/server/src/testing/index.ts";
import { gitIn, HOSTILE_REPOSITORIES, type HostileRepository, makeHostile } from "./hostile-repositories.ts";

export interface GitReport {
  readonly repositories: number;
  /** Requests and calls that were made of all of them. */
  readonly asked: number;
  /** Programs that ran. */
  readonly ran: readonly string[];
  /** Traps that plain git did not spring, although it should. */
  readonly harmless: readonly string[];
  /** Repositories of which a diff was shown. */
  readonly shown: readonly string[];
  /** Repositories in which what a command changed was listed and taken back. */
  readonly undone: readonly string[];
}

/** What of an answer is looked at. */
interface Answer {
  readonly is_git?: boolean;
  readonly files?: readonly unknown[];
  readonly changes?: readonly { readonly id: string; readonly path: string }[];
}

const TOOLS = ["list_projects", "list_dir", "read_file", "find_files", "search_files"];

/** What commands do in each of them: a file that the repository has is changed, and one is made. */
const COMMAND = "echo changed >> a.txt; echo new > made-by-a-command.txt";

/**
 * Reads hostile repositories through every route and tool of a service, has commands run in them, takes what these changed
 * back, then uses plain git.
 */
export async function runGit(repositories: readonly HostileRepository[] = HOSTILE_REPOSITORIES): Promise<GitReport> {
  const folders = temporaryFolders();
  const base = folders.root;
  const roots = repositories.map((one) => [one.name, makeHostile(one, base)] as const);
  const marks = (): readonly string[] => readdirSync(join(base, "marks"));
  const declared = roots.map(([name, root]) => `  - {name: ${name}, path: "${root}"}`).join("\n");
  folders.configure(
    `model: {name: "scripted:demo"}\nfilesystem: {code_pane: true, run_requires_approval: false, sandbox: "off"}\nprojects:\n${declared}\n`,
  );
  const env = { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config };
  const flags = { port: 0, ui: "none" } as const;
  const secrets = await openSecrets({ env, flags });
  const live = createLiveSettings({ env, flags });
  const service = await compose(live, { secrets, write: () => {} });
  const url = `http://127.0.0.1:${service.port}`;
  let asked = 0;
  const shown: string[] = [];
  const undone: string[] = [];
  try {
    const ask = async (path: string): Promise<Answer> => {
      asked++;
      return (await (await fetch(url + path)).json()) as Answer;
    };
    const wire = wireTo(url);
    for (const [name, root] of roots) {
      const diff = await ask(`/api/fs/diff?project=${name}`);
      if (diff.is_git === true && (diff.files?.length ?? 0) > 0) shown.push(name);
      for (const path of ["a.txt", ".gitattributes", ".git/config", ".git/HEAD"])
        await ask(`/api/fs/file?project=${name}&path=${encodeURIComponent(path)}`);
      await ask(`/api/fs/browse?path=${encodeURIComponent(root)}&files=true&hidden=true`);
      await ask("/api/projects");
      for (const tool of TOOLS) {
        asked++;
        textOf(await wire.say(`/call ${tool} ${JSON.stringify({ project: name, path: "a.txt", pattern: "o" })}`));
      }
      const before = contentOf(root);
      asked += 2;
      await wire.say(`/call run_command ${JSON.stringify({ project: name, command: COMMAND })}`);
      const { changes = [] } = await ask(`/api/changes?project=${name}`);
      const ids = changes.map(({ id }) => id);
      const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ids }) };
      await fetch(`${url}/api/changes/undo`, sent);
      const isListed = ["a.txt", "made-by-a-command.txt"].every((path) => changes.some((one) => one.path === path));
      if (isListed && contentOf(root) === before) undone.push(name);
    }
    const ran = marks();
    const harmless: string[] = [];
    for (const { name, springs } of repositories) {
      if (springs !== true) continue;
      const root = join(base, "projects", name);
      for (const args of [["status"], ["diff", "HEAD"], ["add", "-A"], ["commit", "-m", "x"]]) {
        try {
          gitIn(root, args);
        } catch {
          // A program that is no filter makes git fail; it ran.
        }
      }
      if (!marks().includes(name)) harmless.push(name);
    }
    return { repositories: repositories.length, asked, ran, harmless, shown, undone };
  } finally {
    service.stopAccepting();
    await service.drain(2_000);
    await service.close();
    await service.flush();
    mkdirSync(base, { recursive: true });
    rmSync(base, { recursive: true, force: true });
  }
}

/** What the file holds that commands change, and whether the one that they make is there. */
function contentOf(root: string): string {
  const file = join(root, "a.txt");
  return `${existsSync(file) ? readFileSync(file, "utf8") : "none"} ${existsSync(join(root, "made-by-a-command.txt"))}`;
}
