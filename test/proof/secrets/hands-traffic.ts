/** What the agent's tools for files, commands and scripts, and the routes beside them, say of files that hold secrets. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Ask } from "./ask.ts";

/** Secrets in one file. */
const IN_A_FILE = 6;
/** Of the first files everything is asked, of the others what is kept of them. */
const WHOLE = 4;

/** Each of these must have shown something with a secret in it, or nothing was tried. */
export const SHOWING = [
  ...["a journal", "an output", "a diff of changes", "a difference from the last commit", "a file", "a preview"],
] as const;

/** A project whose files hold secrets. */
export interface SecretProject {
  readonly root: string;
  readonly secrets: readonly string[];
  readonly files: readonly string[];
}

/** Writes a project whose files hold the secrets, as a line each and inside of longer ones. */
export function writeProject(root: string, secrets: readonly string[]): SecretProject {
  mkdirSync(root);
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q");
  git("-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "--allow-empty", "-m", "one");
  const files = Array.from({ length: Math.ceil(secrets.length / IN_A_FILE) }, (_, index) => {
    const own = secrets.slice(index * IN_A_FILE, (index + 1) * IN_A_FILE);
    const lines = own.map((secret, line) => (line % 2 === 0 ? secret : `const key${line} = "${secret}";`));
    const name = `file-${index}.txt`;
    writeFileSync(path.join(root, name), `${["first", ...lines, "last"].join("\n")}\n`);
    return name;
  });
  return { root, secrets, files };
}

/** The settings by which all of it can be asked without anybody's answer but for what replaces or deletes files. */
export function projectSettings(root: string): object {
  return {
    projects: [{ name: "app", path: root }],
    filesystem: { run_requires_approval: false, code_pane: true },
    enforcement: { require_approval: ["write_file"] },
    execute_code: { enabled: true },
  };
}

const text = JSON.stringify;

function callsOf(file: string): readonly string[] {
  const script =
    `const [read, ran] = [await tools.read_file({path: "${file}"}), await tools.run_command({command: "cat ${file}"})];` +
    "print(read); console.log(ran); return {read, ran};";
  return [
    `/call read_file ${text({ path: file })}`,
    `/call search_files ${text({ path: file, pattern: "." })}`,
    `/call run_command ${text({ command: `cat ${file}` })}`,
    `/call run_command ${text({ command: `tr '\\n' ' ' < ${file} >&2; exit 3` })}`,
    `/call execute_code ${text({ code: script })}`,
    `/call execute_code ${text({ code: `throw new Error(await tools.read_file({path: "${file}"}))` })}`,
    `/call edit_file ${text({ path: file, old_string: "no such line", new_string: "x" })}`,
  ];
}

interface Journal {
  readonly events?: readonly { readonly call_id?: string }[];
}

/** One conversation for each file: everything that shows it, a change of it, and changes that wait for approval. */
export function handsTraffic({ root, secrets, files }: SecretProject, ask: Ask): (() => Promise<void>)[] {
  return files.map((file, index) => async () => {
    const session = `hands-${index}`;
    const say = async (message: string): Promise<string> => {
      const [, task = "none"] =
        /"task_id":"([0-9a-f-]{36})"/.exec(
          await ask(`${message.split(" ")[1]} of ${file}`, "/api/chat", { body: { message, session_id: session } }),
        ) ?? [];
      await ask(`the task of ${file}`, `/api/a2a/tasks/${task}`);
      return task;
    };
    const shown = index < WHOLE ? callsOf(file) : [];
    for (const message of [...shown, `/call read_file ${text({ path: file })}`]) {
      const task = await say(message);
      const journal = JSON.parse(await ask("a journal", `/api/a2a/tasks/${task}/journal?limit=100`)) as Journal;
      const calls = new Set(journal.events?.flatMap(({ call_id }) => call_id ?? []));
      for (const call of calls) await ask("an output", `/api/a2a/tasks/${task}/calls/${call}/output`);
    }
    const edited = await say(`/call edit_file ${text({ path: file, old_string: "last", new_string: "edited" })}`);
    await ask("a diff of changes", `/api/changes/diff?task_id=${edited}`);
    await ask("the changes", `/api/changes?session_id=${session}`);
    await ask("an undo", "/api/changes/undo", { body: { task_id: edited, preview: true } });
    if (index >= WHOLE) return;
    // What the agent left had no secret; what a person added since has.
    const later = `later-${index}.txt`;
    writeFileSync(path.join(root, later), "clean\n");
    const made = await say(`/call edit_file ${text({ path: later, old_string: "clean", new_string: "made" })}`);
    writeFileSync(path.join(root, later), `made\n${secrets[index]}\n`);
    await ask("a diff of changes", `/api/changes/diff?task_id=${made}`);
    await ask("a difference from the last commit", "/api/fs/diff?project=app");
    await ask("a file", `/api/fs/file?project=app&path=${file}`);
    // What waits is looked at before anything else is said in its conversation, which would answer it.
    for (const waits of [
      `/call write_file ${text({ path: file, content: "replaced" })}`,
      `/call delete_file ${text({ path: file })}`,
    ]) {
      await say(waits);
      const { approvals } = JSON.parse(await ask("what waits", "/api/approvals")) as { approvals: { id: string }[] };
      for (const { id } of approvals) await ask("a preview", `/api/approvals/${id}/preview`);
    }
  });
}
