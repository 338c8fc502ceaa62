/** The newest page of changes, in a store of 1,000 rows and in one of 100,000. */
import { realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@agent-service/agent-core/host";
import type { Server } from "../process.ts";
import { newHome } from "../targets.ts";
import { type FilesCase, interleaved, ratio, show } from "./case.ts";
import { ask, startService } from "./service.ts";

const SIZES = { few: 1_000, many: 100_000 } as const;
/** Conversations that the changes belong to, and files that they are of. */
const SESSIONS = 10;
const FILES = 200;
const ROWS = 2_000;

const INSERT = `INSERT INTO file_change (id, call, task, class, context, project, root, path, op, origin, before, after,
before_mode, after_mode, bytes, added, removed, state, reason, undo, undoes, undone_by, at)
SELECT value ->> 'id', 'call', value ->> 'task', 'operator', value ->> 'session', 'bench', ?, value ->> 'path', 'modify', 'tool',
value ->> 'before', value ->> 'after', 420, 420, 100, 1, 1, 'done', 'expired', '', '', NULL, value ->> 'at' FROM json_each(?)`;

async function fill(file: string, root: string, rows: number): Promise<void> {
  const db = await openDatabase({ url: `file:${file}`, owner: { name: "bench" }, synchronous: "normal" });
  const began = Date.now() - rows;
  for (let from = 0; from < rows; from += ROWS) {
    const values = Array.from({ length: Math.min(ROWS, rows - from) }, (_, index) => {
      const number = from + index;
      const [id, digest] = [number.toString().padStart(12, "0"), number.toString(16).padStart(64, "0")];
      const of = { id, task: `task-${number >> 3}`, session: `session-${number % SESSIONS}`, at: began + number };
      return { ...of, path: `file-${number % FILES}.txt`, before: digest, after: digest.replace("0", "1") };
    });
    await db.commit({ label: "bench", statements: [{ sql: INSERT, args: [root, JSON.stringify(values)] }] });
  }
  await db.close();
}

async function open(rows: number): Promise<{ readonly server: Server; readonly folders: readonly string[] }> {
  const home = realpathSync(newHome());
  const root = realpathSync(newHome());
  for (let index = 0; index < FILES; index++) writeFileSync(join(root, `file-${index}.txt`), `${index}\n`.repeat(500));
  const store = join(home, "checkpoints.db");
  await fill(store, root, rows);
  const configuration = `projects: [{name: bench, path: "${root}"}]\ncheckpoint: {db_path: ${store}}\n`;
  return { server: await startService(home, configuration), folders: [home, root] };
}

export const changeList: FilesCase = {
  name: "change-list",
  async run({ rounds }) {
    const [few, many] = [await open(SIZES.few), await open(SIZES.many)];
    try {
      const page = async ({ server }: typeof few, query: string): Promise<void> => {
        const { changes } = (await ask(server.port, `changes?${query}`)) as { readonly changes: readonly unknown[] };
        if (changes.length !== 50) throw new Error(`${changes.length} changes`);
      };
      const found = await interleaved(rounds * 20, {
        "session of 1,000": () => page(few, "session_id=session-3"),
        "session of 100,000": () => page(many, "session_id=session-3"),
        "project of 1,000": () => page(few, "project=bench"),
        "project of 100,000": () => page(many, "project=bench"),
      });
      show("/api/changes, newest page", found);
      return [
        ratio(
          "/api/changes?session_id of 100,000 rows beside 1,000",
          found["session of 100,000"],
          found["session of 1,000"],
          1.5,
        ),
        ratio(
          "/api/changes?project of 100,000 rows beside 1,000",
          found["project of 100,000"],
          found["project of 1,000"],
          1.5,
        ),
      ];
    } finally {
      for (const { server, folders } of [few, many]) {
        await server.kill();
        for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      }
    }
  },
};
