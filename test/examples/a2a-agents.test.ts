/** The examples of the protocol package, run as people run them: as processes that talk to each other. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { politeWeather } from "../../examples/a2a-weather/src/small-talk.ts";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

function run(example: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ["--conditions=@agent-service/source", "src/main.ts", ...args], {
    cwd: `${examples}${example}`,
  });
  running.push(child);
  return child;
}

/** The address an example prints once it listens. */
async function address(child: ChildProcess): Promise<string> {
  let printed = "";
  for await (const chunk of child.stdout!) {
    printed += String(chunk);
    const url = /http:\/\/\S+/.exec(printed)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`ended without an address: ${printed}`);
}

async function output(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout!) text += String(chunk);
  return text;
}

describe("the examples", () => {
  it("an agent answers a greeting with a message and a city with a task", async () => {
    const send = async (text: string) => {
      const message = { messageId: "m", role: "ROLE_USER", parts: [{ text }] };
      const request = new Request("http://agent.example/a2a/message:send", {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0" },
        body: JSON.stringify({ message }),
      });
      return (await politeWeather(request)).json();
    };
    expect(await send("Hello!")).toMatchObject({ message: { parts: [{ text: "Good day!" }] } });
    expect(await send("Rome")).toMatchObject({ task: { artifacts: [{ parts: [{ text: "Rome: snow, 15 °C" }] }] } });
  });

  it("a peer calls the weather agent, and a relay in between, and answers their question", async () => {
    const weather = await address(run("a2a-weather", "0"));
    const relay = address(run("a2a-peer", weather, "--serve", "0"));
    expect(await output(run("a2a-peer", weather, "Rome"))).toBe("Rome: snow, 15 °C\n[TASK_STATE_COMPLETED] \n");
    const asking = run("a2a-peer", await relay, "");
    asking.stdin!.end("Oslo\n");
    expect(await output(asking)).toContain("Which city?\n> Oslo: cloudy, 25 °C");
  });
});
