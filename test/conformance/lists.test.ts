/** Lists of tasks, in every version and binding that has them. */
import { afterAll, describe, expect, it } from "vitest";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { misfits03 } from "./shapes-0-3.ts";
import { misfits10 } from "./shapes-1-0.ts";
import { type Json, type Speaker, speakersTo } from "./speaker.ts";

const running = await startTestService();
afterAll(() => running.stop());
const callers = speakersTo(running.url);
const [rpc03, rest03] = callers as [Speaker, Speaker];
const newest = callers.filter(({ version }) => version === "1.0");

const contextId = "listed";
const made: Json[] = [];
for (const caller of callers) {
  const script = '/call calculator {"expression":"6*7"}';
  made.unshift((await caller.say({ text: script, message: { contextId } })).result);
}
const ids = made.map(({ id }) => id);

describe.each(newest)("a list in $version over $binding", (caller) => {
  const list = async (query: Json): Promise<Json> => (await caller.ask("list", { contextId, ...query })).result;
  const idsOf = ({ tasks }: Json): string[] => tasks.map(({ id }: Json) => id);

  it("has every field it should and no other, in the order of the newest status [R10-3.1.4-2, R10-3.1.4-3, R10-3.1.4-6, R10-3.1.4-8, R10-5.7-1]", async () => {
    const whole = await list({});
    expect(misfits10("list", whole)).toEqual([]);
    expect([idsOf(whole), whole.nextPageToken, whole.pageSize, whole.totalSize]).toEqual([ids, "", 50, 4]);
    const empty = await list({ contextId: "nobody's" });
    expect(empty).toEqual({ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
  });

  it("has artifacts where they are asked for, and no such key where not [R10-3.1.4-1]", async () => {
    for (const query of [{}, { includeArtifacts: false }]) {
      for (const task of (await list(query)).tasks) expect(Object.keys(task)).not.toContain("artifacts");
    }
    const full = await list({ includeArtifacts: true });
    expect(misfits10("list", full)).toEqual([]);
    for (const task of full.tasks) expect(task).toEqual((await caller.ask("get", { id: task.id })).result);
  });

  it("comes in pages by a cursor [R10-3.1.4-5]", async () => {
    const seen: string[] = [];
    let page = await list({ pageSize: 3 });
    expect([page.tasks.length, page.pageSize, page.totalSize]).toEqual([3, 3, 4]);
    for (seen.push(...idsOf(page)); page.nextPageToken !== ""; seen.push(...idsOf(page))) {
      page = await list({ pageSize: 3, pageToken: page.nextPageToken });
    }
    expect(seen).toEqual(ids);
  });

  it("reads times of any precision, and returns them in milliseconds [R10-5.6.1-3]", async () => {
    const { timestamp } = made[1]!.status;
    const since = async (time: string) => idsOf(await list({ statusTimestampAfter: time }));
    const after = new Date(Date.parse(timestamp) + 1).toISOString();
    const fresher = made.filter(({ status }) => Date.parse(status.timestamp) > Date.parse(timestamp));
    expect(await since(after)).toEqual(fresher.map(({ id }) => id));
    expect(await since(timestamp)).toContain(ids[1]);
    expect(await since(timestamp.replace(/\.\d+Z$/, "Z"))).toContain(ids[1]);
    expect(await since(timestamp.replace("Z", "000Z"))).toContain(ids[1]);
    expect(await since("2999-01-01T00:00:00Z")).toEqual([]);
  });

  it("is refused by the field that does not fit [R10-3.3.2-10]", async () => {
    const wrong: readonly [string, unknown][] = [
      ["pageSize", 0],
      ["pageSize", 101],
      ["pageToken", "made up"],
      ["status", "TASK_STATE_HAPPY"],
      ["statusTimestampAfter", "yesterday"],
      ["historyLength", -1],
      ["includeArtifacts", "perhaps"],
    ];
    for (const [field, value] of wrong) {
      const { error } = await caller.ask("list", { [field]: value });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(field) });
    }
  });
});

describe("a list in 0.3", () => {
  it("is an array of its tasks over HTTP+JSON, and no method of JSON-RPC [R03-3.2.3-6, R03-3.2.3-7, R03-3.5.4-1]", async () => {
    const { body } = await rest03.ask("list", { contextId });
    expect((body as unknown as Json[]).map(({ id }) => id)).toEqual(ids);
    for (const task of body as unknown as Json[]) expect(misfits03("Task", task)).toEqual([]);
    expect((await rpc03.ask("list", { contextId })).error?.code).toBe(-32601);
  });
});
