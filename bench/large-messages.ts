/**
 * What large messages leave behind: 31 of 9.9 MB through one context of the built service, then a minute of quiet. Prints
 * the resident memory before, at most and afterwards, and holds the last (docs/reliability.md).
 */
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { holdBounds } from "./bounds.ts";
import { Connection, post } from "./connection.ts";
import { residentMb, startServer } from "./process.ts";
import { BENCH_TOKEN, newHome, serviceCommand, startGateway } from "./targets.ts";

const { values } = parseArgs({
  options: { messages: { type: "string", default: "31" }, quiet: { type: "string", default: "60" } },
});
const messages = Number(values.messages);
const LENGTH = 9_900_000;
const TEXT = "lorem ipsum dolor ".repeat(Math.ceil(LENGTH / 18)).slice(0, LENGTH);

const gateway = await startGateway();
const home = newHome();
const server = await startServer(serviceCommand(gateway, home));
const resident = (): number => residentMb(server.pid) ?? Number.NaN;
let most = 0;
const looks = setInterval(() => {
  most = Math.max(most, resident());
}, 20);
try {
  await sleep(2_000);
  const idle = resident();
  const connection = new Connection(server.port);
  for (let i = 0; i < messages; i++) {
    const parts = [{ kind: "text", text: `${i} ${TEXT}` }];
    const message = { kind: "message", messageId: `large-${i}`, contextId: "large", role: "user", parts };
    const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
    const answer = await connection.send(post("/a2a", body, BENCH_TOKEN));
    if (!answer.body.includes('"state":"completed"')) throw new Error(answer.body.slice(0, 300));
  }
  connection.close();
  const directly = resident();
  await sleep(Number(values.quiet) * 1_000);
  const after = resident();
  console.log(`${messages} messages of ${LENGTH} characters through one context; resident MB:`);
  console.log(
    `  idle ${idle.toFixed(0)}, at most ${most.toFixed(0)}, directly afterwards ${directly.toFixed(0)}, after ${values.quiet} s of quiet ${after.toFixed(0)}`,
  );
  holdBounds(
    [
      { what: "MB above idle at most", found: most - idle, most: 512, isTime: false },
      { what: "MB above idle after the quiet", found: after - idle, most: 220, isTime: false },
    ],
    1,
  );
} finally {
  clearInterval(looks);
  await server.kill();
  await gateway.kill();
  rmSync(home, { recursive: true, force: true });
}
