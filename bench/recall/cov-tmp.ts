import { openDatabase } from "@agent-service/agent-core/host";
import { corpus } from "./corpus/corpus.ts";
import { openMemory } from "./open-memory.ts";
import { searchTerms } from "../../packages/agent-core/src/knowledge/search-words.ts";
import { rmSync } from "node:fs";
rmSync("/tmp/cov.db", { force: true });
const m = await openMemory({ url: "file:/tmp/cov.db" });
const c = corpus(); const num = await m.fill(c.notes); await m.close();
const db = await openDatabase({ url: "file:/tmp/cov.db", schema: "knowledge", owner: { name: "x" } });
const N = c.notes.length;
const q = async (sql: string, args: any[]) => db.read({ sql, args });
const rows: any[] = [];
for (const one of c.questions) {
  const terms = searchTerms(one.text);
  const w = new Map<string, number>(); const has = new Map<number, { t: string[]; title: boolean }>();
  for (const t of terms) {
    const ids = (await q("SELECT rowid FROM chunk_text WHERE chunk_text MATCH ?", [t])).map((r) => Number(r[0]));
    w.set(t, Math.log(1 + N / (ids.length + 0.5)));
    for (const id of ids) { const h = has.get(id) ?? { t: [], title: false }; h.t.push(t); has.set(id, h); }
  }
  const total = [...w.values()].sort((a, b) => b - a).slice(0, Number(process.argv[2] ?? 8)).reduce((a, b) => a + b, 0);
  const cov = (id: number) => (has.get(id)?.t ?? []).reduce((s, t) => s + w.get(t)!, 0) / total;
  const best = [...has.keys()].map((id) => [id, cov(id)] as const).sort((a, b) => b[1] - a[1])[0];
  const exp = one.answers.map((k) => cov(num.get(k)!));
  rows.push({ c: one.class, t: one.text, best: best?.[1] ?? 0, bt: has.get(best?.[0]!)?.t.join(" "), exp: exp.map((x) => x.toFixed(2)).join(" "), min: Math.min(...exp) });
}
for (const r of rows.filter((r) => r.c === "nothing to find").sort((a, b) => b.best - a.best)) console.log("N", r.best.toFixed(2), r.t, r.bt);
for (const r of rows.filter((r) => r.c !== "nothing to find").sort((a, b) => a.min - b.min).slice(0, 70)) console.log(r.c.slice(0, 5), r.exp, r.t);
await db.close();
