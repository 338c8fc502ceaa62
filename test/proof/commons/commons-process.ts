/** One of the processes of a commons: puts skills and memories there and reads those of all, and reports what it put there last. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../packages/agent-core/src/clock/index.ts";
import type { ReadYaml } from "../../../packages/agent-core/src/skill/index.ts";
import { promoteSkill } from "../../../packages/agent-core/src/skill/promote-skill.ts";
import { SkillLibrary } from "../../../packages/agent-core/src/skill/skill-library.ts";
import { SkillRoot } from "../../../packages/agent-core/src/skill/skill-root.ts";
import { createRandom } from "../random.ts";
import { memoryWriter } from "./memory-writer.ts";
import { type CommonsReport, faultOf, skillText, versionOf } from "./skill-text.ts";

const [folder = "", commonsRoot = "", number = "0", operations = "0", seed = ""] = process.argv.slice(2);
const writer = Number(number);
const random = createRandom(`${seed}/${writer}`);
const names = [...Array.from({ length: 4 }, (_, i) => `own-${writer}-${i}`), ...["shared-0", "shared-1", "shared-2"]];

/** Heads of these skills are lines of a name and a text. */
const readYaml: ReadYaml = (text) => ({
  ok: true,
  values: Object.fromEntries(text.split("\n").flatMap((line) => [/^(\w+): (.*)$/.exec(line)?.slice(1) ?? []])),
});
const own = new SkillRoot({ path: () => join(folder, "skills"), origin: "user", readYaml });
const commons = new SkillRoot({ path: () => join(commonsRoot, "skills"), origin: "commons", readYaml });
const library = new SkillLibrary({
  ...{ roots: [own, commons], clock: systemClock(), bus: { publish: () => {} }, log: { warn: () => {} } },
});

const memories = memoryWriter(folder, join(commonsRoot, "memories"), { writer, random });

let [writes, reads] = [0, 0];
const last: { [name: string]: number } = {};
const faults: string[] = [];
const seen = new Map<string, number>();

async function write(name: string, version: number): Promise<void> {
  mkdirSync(join(folder, "skills", name), { recursive: true });
  writeFileSync(join(folder, "skills", name, "SKILL.md"), skillText(name, writer, version));
  await library.refresh();
  await promoteSkill(name, {
    ...{ own, commons, library, makeFolder: (path) => void mkdirSync(path, { recursive: true }) },
  });
  last[name] = version;
}

/** What is there is whole, and what one process alone writes never goes back. */
async function read(): Promise<void> {
  await commons.scan();
  for (const { name, text, fault } of commons.entries) {
    const wrong = fault ?? faultOf(name, text);
    if (wrong !== undefined) faults.push(wrong);
    const version = versionOf(text)?.version ?? 0;
    if (name.startsWith("own-") && version < (seen.get(name) ?? 0)) faults.push(`${name} went back to ${version}`);
    seen.set(name, version);
  }
}

for (let at = 1; at <= Number(operations); at++) {
  try {
    const isWrite = random.chance(0.5);
    if (random.chance(0.5)) {
      if (isWrite) await memories.write(at);
      else faults.push(...(await memories.read()));
    } else await (isWrite ? write(random.pick(names), at) : read());
    if (isWrite) writes++;
    else reads++;
  } catch (error) {
    faults.push(String(error));
  }
}
// What the others write until they are done is read too.
const othersDone = once(process, "message");
process.send?.("written");
await othersDone;
const report: CommonsReport = { writes, reads, last, faults: faults.slice(0, 20), memories: await memories.end() };
process.send?.(report);
process.disconnect();
