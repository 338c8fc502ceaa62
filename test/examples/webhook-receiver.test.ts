/** The webhook of the documents, as agents reach it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { webhookRequests } from "../../packages/a2a-protocol/src/server/index.ts";

const folder = fileURLToPath(new URL("../../examples/a2a-peer", import.meta.url));

it("a webhook receiver prints what an agent with its token sends, once", async () => {
  const args = ["--conditions=@agent-service/source", "src/main.ts", "s3cret", "--listen", "0"];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    let printed = "";
    const lines = child.stdout[Symbol.asyncIterator]();
    const until = async (text: RegExp): Promise<string> => {
      for (;;) {
        const found = text.exec(printed)?.[0];
        if (found !== undefined) return found;
        const { value, done } = await lines.next();
        if (done) throw new Error(`ended, printed: ${printed}`);
        printed += String(value);
      }
    };
    const url = await until(/http:\/\/\S+/);
    const status = { state: "TASK_STATE_COMPLETED" as const };
    const artifact = { artifactId: "answer", parts: [{ text: "42" }] };
    const frames = [
      { seq: 3, frame: { artifactUpdate: { taskId: "t", contextId: "c", artifact, lastChunk: true } } },
      { seq: 4, frame: { statusUpdate: { taskId: "t", contextId: "c", status } } },
    ];
    const config = { id: "t", taskId: "t", url, token: "s3cret" };
    const statuses: number[] = [];
    for (const version of ["1.0", "0.3"] as const) {
      for (const { headers, body } of webhookRequests(config, version, frames)) {
        statuses.push((await fetch(url, { method: "POST", headers: { ...headers }, body })).status);
      }
    }
    const [stranger] = webhookRequests({ ...config, token: "guess" }, "0.3", frames);
    statuses.push(
      (await fetch(url, { method: "POST", headers: { ...stranger!.headers }, body: stranger!.body })).status,
    );
    expect(statuses).toEqual([204, 204, 204, 401]);
    await until(/t: TASK_STATE_COMPLETED\n/);
    expect(printed.split("\n").slice(1, -1)).toEqual(['t: [{"text":"42"}]', "t: TASK_STATE_COMPLETED"]);
  } finally {
    child.kill();
  }
});
