/** When summaries are written (K15), and what one that cannot be written leaves. */
import { describe, expect, it } from "vitest";
import type { TaskView } from "../event/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { SessionSource } from "./session-source.ts";
import { Summaries } from "./summaries.ts";

const turnOf = (task: string): SessionSource["turns"][number] =>
  ({ task, updatedAt: 0, answer: "yes", messages: [], toolCalls: [] }) as never;
const ended = (context: string, more: object = {}): TaskView =>
  ({
    ...{ state: "completed", class: "operator", origin: "chat", history: [], context },
    ...{ models: [{}], toolCalls: [{}], ...more },
  }) as never;

/** `reading` is asked what to do as the sources of a conversation are read. */
function open(reading: (id: string) => Promise<void> | void = () => {}) {
  const clock = manualClock(0);
  const log: string[] = [];
  const summaries = new Summaries({
    ...{ clock, exists: () => true, writes: () => true, current: async () => {}, traceOf: () => null },
    ...{ redact: (text: string) => text, onChange: () => {}, onFailure: (error) => log.push(`failed: ${error}`) },
    sources: {
      async read(id) {
        log.push(`read ${id}`);
        await reading(id);
        return { session: id, surface: "chat", topic: id, outside: false, turns: [turnOf(id)] };
      },
      changedSince: async () => [],
    },
    folder: {
      read: async () => undefined,
      size: async () => undefined,
      async write({ session_id }) {
        log.push(`file ${session_id}`);
        return 1;
      },
      remove: async () => {},
    },
    index: {
      async write(written) {
        log.push(`index ${written.map(({ summary }) => summary.session_id).join()}`);
      },
      ...{ remove: async () => {}, clean: async () => {}, list: async () => [], find: async () => undefined },
      ...{ search: async () => [], mark: async () => 0, close: async () => {} },
    },
  });
  return { summaries, log, clock, end: (id: string) => summaries.onCommit(ended(id), []) };
}

describe("summaries", () => {
  it("are read together and written one after the other, in one command", async () => {
    const { summaries, log, end } = open();
    end("a");
    end("b");
    end("a");
    await summaries.settled();
    expect(log).toEqual(["read a", "read b", "file a", "file b", "index a,b"]);
    await summaries.settled();
    expect(log).toHaveLength(5);
  });

  it("are not written of a direct call, which no model asked for (M19)", async () => {
    const { summaries, log } = open();
    summaries.onCommit(ended("call", { origin: "operator", models: [] }), []);
    await summaries.settled();
    expect(log).toEqual([]);
  });

  it("are written again where a turn ended after its conversation was read", async () => {
    let once = true;
    const { summaries, log, end } = open((id) => {
      if (once) end(id);
      once = false;
    });
    end("a");
    await summaries.settled();
    expect(await summaries.has("a")).toBe(true);
    await summaries.settled();
    expect(log).toEqual(["read a", "file a", "index a", "read a", "file a", "index a"]);
  });

  it("wait on where the store fails, and exist for who asks meanwhile", async () => {
    let failures = 1;
    const held = Promise.withResolvers<void>();
    const { summaries, log, end } = open(async () => {
      await held.promise;
      if (failures-- > 0) throw new Error("no store");
    });
    end("a");
    const first = summaries.settled();
    await Promise.resolve();
    expect(await summaries.has("a")).toBe(true);
    held.resolve();
    await first;
    expect(log).toEqual(["read a", "failed: Error: no store"]);
    await summaries.settled();
    expect(log.slice(2)).toEqual(["read a", "file a", "index a"]);
  });
});
