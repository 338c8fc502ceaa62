/** Tasks so long that their openings and answers are sent in chunks (A20; EN10). */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, type StreamedEvent, textOf, textParams } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
/** A task that ended, and its whole stream. */
let whole: readonly StreamedEvent[];
let id: string;
beforeAll(async () => {
  running = await startTestService();
  whole = await (await running.wire.stream("message/stream", textParams("/stream 60000"))).rest();
  id = whole[0]?.frame.id;
});
afterAll(() => running.stop());

const VERSION_1 = { "a2a-version": "1.0" };

describe("a long task", () => {
  it("is the same Task whole, in chunks, and over every binding", async () => {
    const task = await running.wire.result("tasks/get", { id });
    expect(textOf(task).length).toBeGreaterThan(400_000);
    const response = await fetch(`${running.url}/v1/tasks/${id}`);
    const text = await response.text();
    expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text));
    expect(JSON.parse(text)).toEqual(task);
    const [opening, ...rest] = await (await running.wire.stream("tasks/resubscribe", { id })).rest();
    expect(opening?.frame).toEqual(task);
    expect(rest.map(({ frame }) => [frame.kind, frame.final])).toEqual([["status-update", true]]);
    const newer = await running.wire.result("GetTask", { id }, { headers: VERSION_1 });
    expect(newer.artifacts[0].parts[0].text).toBe(textOf(task));
  });

  it("opens a stream with the Task as of each cursor, and continues after it without gap or repeat", async () => {
    const end = whole.at(-1)?.id ?? 0;
    const cursors = [1, Math.floor(end / 2), end - 3, end - 2, end - 1, end, end + 5];
    for (const after of cursors) {
      const [opening, ...rest] = await (
        await running.wire.stream("tasks/resubscribe", { id, metadata: { after } })
      ).rest();
      const seen = whole.filter((event) => event.id <= after).map(({ frame }) => frame);
      const updates = seen.filter((frame: Json) => frame.kind === "artifact-update");
      const text = updates.reduce(
        (text: string, frame: Json) => (frame.append ? text : "") + textOf(frame.artifact),
        "",
      );
      expect(textOf(opening?.frame)).toBe(text);
      if (after < end) expect(rest).toEqual(whole.slice(1).filter((event) => event.id > after));
      else expect(rest.map(({ frame }) => frame.final)).toEqual([true]);
    }
  });

  it("that no one reads frees its streams and its bytes when its readers leave", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/resubscribe", params: { id } });
    const head = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(running.port, "127.0.0.1").pause();
      socket.write(`POST /a2a HTTP/1.1\r\n${head}\r\n\r\n${body}`);
      return socket;
    });
    const open = async (): Promise<number> =>
      Number(/_open_streams (\d+)/.exec(await (await fetch(`${running.url}/metrics`)).text())?.[1]);
    const task = await running.wire.result("tasks/get", { id });
    expect(task.status.state).toBe("completed");
    for (const socket of sockets) socket.destroy();
    await expect.poll(open).toBe(0);
  });
});
