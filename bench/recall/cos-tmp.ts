import { corpus } from "./corpus/corpus.ts";
import { denseEmbeddingOf as e } from "./dense-embedding.ts";
import { UNRELATED_TEXTS, calibrate } from "../../packages/agent-core/src/knowledge/embedding/calibration.ts";
import { unitVector, dot } from "../../packages/agent-core/src/knowledge/embedding/vector-code.ts";
const u = (t: string) => unitVector(e(t))!;
const units = UNRELATED_TEXTS.map(u);
const cs = units.flatMap((a, i) => units.slice(i + 1).map((b) => dot(a, b)));
const av = cs.reduce((a, b) => a + b) / cs.length, sd = Math.sqrt(cs.reduce((s, c) => s + (c - av) ** 2, 0) / cs.length);
console.log("floor", calibrate(units).floor, av, sd);
const c = corpus(); const docs = new Map(c.notes.map((n) => [n.key, u(n.subject ? n.subject + "\n" + n.content : n.content)]));
for (const q of c.questions) { if (!["nothing to find", "paraphrase"].includes(q.class)) continue;
  const v = u(q.text); const all = [...docs].map(([k, d]) => [k, dot(v, d)] as const).sort((a, b) => b[1] - a[1]);
  const m = all.reduce((s, x) => s + x[1], 0) / all.length, s2 = Math.sqrt(all.reduce((s, x) => s + (x[1] - m) ** 2, 0) / all.length);
  const exp = q.answers.map((k) => docs.get(k)!).map((d) => dot(v, d));
  console.log(q.class.slice(0, 4), "top", all[0]![1].toFixed(3), "z", ((all[0]![1] - av) / sd).toFixed(1), "zq", ((all[0]![1] - m) / s2).toFixed(1), exp.map((x) => `exp ${x.toFixed(3)} z ${((x - av) / sd).toFixed(1)} rank ${all.findIndex((y) => y[1] <= x)}`).join(" "), q.text.slice(0, 50)); }
