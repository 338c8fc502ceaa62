import { corpus } from "./corpus/corpus.ts";
import { measureQuality, wideDouble } from "./measure-quality.ts";
await using double = await wideDouble();
const c = corpus(); console.log(c.notes.length, c.questions.length);
console.time("q");
const f = await measureQuality(c, double.baseUrl);
console.timeEnd("q");
for (const m of f.modes) { console.log(m.mode, "superseded", m.superseded, "injected", m.injected, m.wronglyInjected);
 for (const c of m.classes) console.log(c.class.padEnd(22), c.questions, c.recalled.toFixed(3), c.searched.toFixed(3), c.missed); }
console.log("signs", f.signRecall);
