import { expect, test } from "vitest";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { PROMPT_BUDGET, promptTokens } from "../../bench/prompt-tokens.ts";
import { localGateway, textReply } from "../../packages/agent-core/src/testing/index.ts";

test("system text and tools of the service as it is by default keep within the tokens that are set for them", async ({
  task,
}) => {
  const gateway = await localGateway(textReply("Hello."));
  try {
    await using running = await startTestService({
      config: `providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]\nmodel: { name: "gw:any" }\n`,
    });
    await running.wire.say("hello");
    const { system, tools, byTool } = promptTokens(gateway.requests[0]?.body);
    expect(byTool.map(([name]) => name)).toContain("calculator");
    expect(system).toBeGreaterThan(20);
    const bound = {
      what: "system text and tools of a call",
      found: system + tools,
      most: PROMPT_BUDGET,
      unit: "tokens",
    };
    task.meta.bounds = [bound];
    expect(system + tools, `system text ${system}; ${byTool.join("; ")}`).toBeLessThanOrEqual(PROMPT_BUDGET);
  } finally {
    await gateway.close();
  }
});
