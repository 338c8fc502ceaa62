/** The agent reads and, where its operator lets it, changes its own settings (B89 show_config, set_config). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const TOKENS = "auth: { token: operator-secret-1, federation_token: federation-secret-1 }\n";
let running: TestService;
afterEach(() => running.stop());

const as = (token: string) => running.wireAs({ authorization: `Bearer ${token}` });
const asked = async (call: string, token = "operator-secret-1") => JSON.stringify(await as(token).say(call));
const live = (): string => readFileSync(join(running.folders.config, "agent-config.yaml"), "utf8");

it("shows settings without secrets, to the operator's tasks only", async () => {
  running = await startTestService({ config: `${TOKENS}model: { name: "scripted:demo" }\n` });
  const shown = await asked('/call show_config {"section": "auth"}');
  expect(shown).toContain("auth.token = (secret, set)");
  expect(shown).not.toContain("secret-1");
  expect(await asked('/call show_config {"section": "auth"}', "federation-secret-1")).toContain(
    "there is no tool named",
  );
  expect(await asked('/call set_config {"updates": {"model.top_k": 3}}')).not.toContain("Saved");
});

it("changes settings when it may, and none when one of them is of the trust surface", async () => {
  const before = `${TOKENS}model: { name: "scripted:demo" }\ntools: { self_config_enabled: true, disabled: [calculator] }\n`;
  running = await startTestService({ config: before });
  const refused = await asked('/call set_config {"updates": {"model.top_k": 3, "egress.allowed_hosts": ["10.0.0.1"]}}');
  expect(refused).toContain("only a person may change egress.allowed_hosts");
  expect(live()).toBe(before);
  expect(await asked('/call set_config {"updates": {"middleware.enforcement": false}}')).toContain(
    "only a person may change middleware.enforcement",
  );
  expect(await asked('/call set_config {"updates": {"model.top_k": "many"}}')).toContain("model.top_k: expected");
  expect(await asked('/call set_config {"updates": {"model.top_k": 3}}')).toContain("Saved: model.top_k.");
  expect(running.live.settings.model.top_k).toBe(3);
  expect(textOf(await as("operator-secret-1").say('/call calculator {"expression": "1+1"}'))).not.toBe("2");
});
