/** Who may use the running service, and what it reveals of itself (B23 to B29; S1, S5). */
import { describe, expect, it } from "vitest";
import { ask, textOf } from "../testing/index.ts";
import { startTestService } from "../testing/test-service.ts";

describe("a service with a token, an API key and a federation token", () => {
  it("serves each caller what it may use, and nothing else [R10-7.4-1, R03-4.4-1]", async () => {
    await using running = await startTestService({
      env: {
        AGENT_NAME: "My agent",
        MY_AGENT_API_KEY: "operator-key",
        A2A_AUTH_TOKEN: "operator-token",
        A2A_FEDERATION_TOKEN: "peer-token",
      },
    });
    for (const headers of [
      { authorization: "Bearer operator-token" },
      { "x-api-key": "operator-key" },
      { authorization: "Bearer peer-token" },
    ] as { [name: string]: string }[]) {
      expect(textOf(await running.wireAs(headers).say("/say hi"))).toBe("hi");
    }
    for (const headers of [{}, { authorization: "Bearer wrong" }, { "x-api-key": "peer-token" }] as {
      [name: string]: string;
    }[]) {
      const { status, body } = await running.wireAs(headers).answer("message/send", {});
      expect([status, Object.keys(body)]).toEqual([401, ["detail"]]);
      expect(body.detail).toMatch(/Authorization: Bearer.*X-API-Key/);
    }
    for (const path of ["/api/config", "/agents/x/a2a"]) {
      const answer = await ask(running.port, { path, headers: { authorization: "Bearer peer-token" } });
      expect(answer.status).toBe(403);
    }
    expect(running.log.join("")).not.toMatch(/operator-token|operator-key|peer-token/);
  });
});

describe("an open service", () => {
  it("answers only to its own names, on every path", async () => {
    await using running = await startTestService({ env: { SVC_TRUSTED_HOSTS: "friend.example" } });
    for (const path of ["/healthz", "/metrics", "/.well-known/agent.json", "/a2a", "/nothing"]) {
      const stranger = await ask(running.port, { path, headers: { host: "evil.example" } });
      expect([path, stranger.status]).toEqual([path, 403]);
    }
    for (const host of [`localhost:${running.port}`, "127.0.0.1", "friend.example"]) {
      expect((await ask(running.port, { path: "/healthz", headers: { host } })).status).toBe(200);
    }
  });

  it("warns that no token is set", async () => {
    await using running = await startTestService();
    expect(running.log.join("")).toMatch(/WARNING no token is set/);
  });
});

describe("metrics and health", () => {
  it("count what was committed, under the agent's name", async () => {
    await using running = await startTestService({ env: { AGENT_NAME: "My agent" } });
    await running.wire.say('/call calculator {"expression":"6*7"}\n/then\n/say done');
    await running.wire.say('/call calculator {"expression":"1/0"}\n/then\n/fail 500', {}, {});
    const text = await (await fetch(`${running.url}/metrics`)).text();
    for (const line of [
      'my_agent_llm_calls_total{model="demo",finish_reason="stop"} 1',
      'my_agent_tool_calls_total{tool_name="calculator",success="true"} 1',
      'my_agent_tool_calls_total{tool_name="calculator",success="false"} 1',
      'my_agent_a2a_turns_total{state="completed"} 1',
      'my_agent_a2a_turns_total{state="failed"} 1',
      "my_agent_active_sessions 0",
      "my_agent_open_streams 0",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    const health = await fetch(`${running.url}/healthz`);
    expect([health.status, await health.json()]).toEqual([
      200,
      { ok: true, graph_compiled: true, setup_complete: true, ui: "none", model: "scripted:demo", store: "ok" },
    ]);
  });
});
