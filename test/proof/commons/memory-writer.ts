/** What one process does with the memories of a commons: remembers, corrects, forgets and reads them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../packages/agent-core/src/clock/index.ts";
import { lazyStore, openDatabase } from "../../../packages/agent-core/src/database/index.ts";
import { CommonsMirror } from "../../../packages/agent-core/src/knowledge/commons/commons-mirror.ts";
import { scopedStore } from "../../../packages/agent-core/src/knowledge/commons/scoped-store.ts";
import { KnowledgeStore } from "../../../packages/agent-core/src/knowledge/knowledge-store.ts";
import type { createRandom } from "../random.ts";
import { memoryFaultOf, memoryText, memoryVersionOf } from "./memory-text.ts";

/** Of so many writes one is of a subject that is not written again, and one in as many forgets such a one. */
const LASTING = 0.06;
const SUBJECTS = 4;

export interface MemoryReport {
  /** The version that it wrote last, by the memory's name. */
  readonly last: { readonly [name: string]: number };
  /** Memories that it forgot. */
  readonly forgotten: readonly string[];
  /** What it finds in the end. */
  readonly found: readonly string[];
}

export function memoryWriter(
  folder: string,
  commons: string,
  { writer, random }: { readonly writer: number; readonly random: ReturnType<typeof createRandom> },
) {
  const clock = systemClock();
  const bus = { publish: () => {} };
  const open = () =>
    openDatabase({ url: `file:${join(folder, "memories.db")}`, schema: "knowledge", owner: { name: "proof" } });
  const store = new KnowledgeStore({
    store: scopedStore(lazyStore(open, clock), () => true),
    ...{ clock, bus, redact: (text: string) => text },
  });
  const mirror = new CommonsMirror({
    ...{ store, clock, bus, exists: () => true, place: () => ({ folder: commons, isShared: true }) },
    makeFolder: (path) => void mkdirSync(path, { recursive: true }),
    onFailure(error) {
      throw error;
    },
  });
  const names = [
    ...Array.from({ length: SUBJECTS }, (_, i) => `own-${writer}-${i}`),
    ...["shared-0", "shared-1", "shared-2"],
  ];
  const last: { [name: string]: number } = {};
  const lasting = new Map<string, number>();
  const forgotten: string[] = [];
  const seen = new Map<string, number>();

  async function remember(name: string, version: number): Promise<void> {
    const { id } = await store.remember(
      {
        ...{ content: memoryText(name, writer, version), domain: "proof", kind: "note", subject: name, heading: "" },
        ...{ policy: "retrieved", expiresAt: undefined, trust: "agent", held: undefined, session: "", task: "" },
      },
      `${writer}/${version}`,
    );
    last[name] = version;
    if (name.startsWith("lasting-")) lasting.set(name, id);
  }

  async function forget(name: string, id: number, version: number): Promise<void> {
    await store.forget(id, "", `${writer}/${version}`);
    lasting.delete(name);
    delete last[name];
    forgotten.push(name);
  }

  return {
    /** It is in the commons when it resolves. */
    async write(version: number): Promise<void> {
      const [old] = lasting;
      if (old !== undefined && random.chance(LASTING / 2)) await forget(...old, version);
      else await remember(random.chance(LASTING) ? `lasting-${writer}-${version}` : random.pick(names), version);
      await mirror.writeOut();
    },
    /** What is wrong with what is found: what one process alone writes is whole, and never goes back. */
    async read(): Promise<readonly string[]> {
      await mirror.sync();
      const faults: string[] = [];
      for (const { content } of await store.list({}, 10_000)) {
        const fault = memoryFaultOf(content);
        if (fault !== undefined) faults.push(fault);
        const { name = "", version = 0 } = memoryVersionOf(content) ?? {};
        if (name.startsWith("own-") && version < (seen.get(name) ?? 0)) faults.push(`${name} went back to ${version}`);
        seen.set(name, version);
      }
      return faults;
    },
    /** Once all have written. */
    async end(): Promise<MemoryReport> {
      await mirror.sync();
      const found = (await store.list({}, 10_000)).map(({ content }) => content);
      await store.close();
      return { last, forgotten, found };
    },
  };
}
