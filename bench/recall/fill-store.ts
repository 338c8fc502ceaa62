import { openDatabase } from "@agent-service/agent-core/host";
import type { Note } from "./corpus/note.ts";
import { seeded } from "./corpus/seeded.ts";

/** Rows of a commit. */
const BITE = 1_000;

/** Grows the store of memories at a file to `count`: halves of two notes, with a number that only this one has. */
export async function fillStore(file: string, notes: readonly Note[], count: number): Promise<void> {
  const db = await openDatabase({ url: `file:${file}`, schema: "knowledge", owner: { name: "bench" } });
  try {
    const [row] = await db.read({ sql: "SELECT count(*) FROM chunk", args: [] });
    const numbers = seeded(count);
    const insert = `INSERT INTO chunk (domain, kind, subject, heading, subject_key, content, policy, trust, review, review_reason,
        session, task, created_at, confirmed_at)
      VALUES ('general', 'note', '', '', '', ?, 'retrieved', 2, 'accepted', '', 's', 't', ?, ?)`;
    for (let at = Number(row?.[0]); at < count; ) {
      const statements = [];
      for (const last = Math.min(count, at + BITE); at < last; at++) {
        const [first, second] = [numbers.one(notes).content, numbers.one(notes).content];
        const content = `Note OPS-${10_000 + at}: ${halfOf(first)}; ${halfOf(second)} Seen ${numbers.below(90)} times.`;
        statements.push({ sql: insert, args: [content, at, at] });
      }
      await db.commit({ label: "fill", statements });
    }
  } finally {
    await db.close();
  }
}

function halfOf(text: string): string {
  const words = text.split(" ");
  return words.slice(0, Math.ceil(words.length / 2)).join(" ");
}
