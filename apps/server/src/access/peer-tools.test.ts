/** Which tools a peer's turn is offered: none that it may not use (A16). */
import { type LocalGateway, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { textOf } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const OPERATOR = { authorization: "Bearer operator-token" };
const PEER = { authorization: "Bearer peer-token" };
const OPERATORS_OWN = [
  "show_config",
  "set_config",
  "task_create",
  "task_list",
  "task_update",
  "task_close",
  "check_inbox",
  "update_goal_plan",
  "abandon_goal",
  "schedule_task",
  "memory_ingest",
  "memory_recall",
  "memory_list",
  "search_tools",
  "forget_memory",
  "load_skill",
  "list_skills",
  "save_skill",
  "list_projects",
  "read_file",
  "list_dir",
  "find_files",
  "search_files",
  "write_file",
  "edit_file",
  "delete_file",
  "onboard_project",
  "register_local_project",
  "run_command",
];

let gateway: LocalGateway;
let running: TestService;
const config = (tools: string) => `
auth: { token: operator-token, federation_token: peer-token }
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "gw:m", max_retries: 0 }
tools: ${tools}
`;
beforeAll(async () => {
  gateway = await localGateway(textReply("done"));
  running = await startTestService({ config: config("{ self_config_enabled: true }") });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

interface Asked {
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: unknown;
}

/** The newest request to the model. */
const newest = (): Asked => gateway.requests[gateway.requests.length - 1]!.body as Asked;

const offered = (): string[] => newest().tools.map((tool) => tool.function.name);

it("has all that the operator's has but the operator's own, in the same order", async () => {
  await running.wireAs(OPERATOR).say("hello");
  const operators = offered();
  expect(operators).toEqual(expect.arrayContaining(OPERATORS_OWN));
  await running.wireAs(PEER).say("hello");
  expect(offered()).toEqual(operators.filter((name) => !OPERATORS_OWN.includes(name)));
});

it("gets the result that there is no such tool when its model calls one all the same", async () => {
  gateway.answer((_, count) => (count === 3 ? toolReply({ name: "task_list", args: {} }) : textReply("done")));
  expect(textOf(await running.wireAs(PEER).say("list the board"))).toBe("done");
  const last = JSON.stringify(newest());
  expect(last).toContain(String.raw`there is no tool named \"task_list\"`);
  expect(last).not.toContain("show_config");
});

it("finds none of them by searching where tools are withheld", async () => {
  running.folders.configure(config("{ self_config_enabled: true, deferred: { enabled: true, keep: [current_time] } }"));
  running.live.reload();
  const search = { name: "search_tools", args: { query: "", limit: 50 } };
  const found = async (who: typeof PEER): Promise<string> => {
    let asked = 0;
    gateway.answer(() => (asked++ === 0 ? toolReply(search) : textReply("done")));
    await running.wireAs(who).say("what is there?");
    return JSON.stringify(newest().messages);
  };
  expect(await found(OPERATOR)).toContain("task_list");
  const peers = await found(PEER);
  expect(peers).toContain("calculator");
  for (const name of OPERATORS_OWN) expect(peers).not.toContain(`\\"${name}\\"`);
});
