/** Skills through the service: the prompt, the tools, the slash command, hand edits, and what peers do not get (K3, K27). */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import { createOperatorClient } from "@agent-service/operator-api/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const OPERATOR = { authorization: "Bearer operator-token" };
const PEER = { authorization: "Bearer peer-token" };

let gateway: LocalGateway;
let running: TestService;
const folders = temporaryFolders();

function write(name: string, head: string, body: string): void {
  const folder = join(folders.config, "skills", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), `---\nname: ${name}\n${head}\n---\n${body}\n`);
}

const config = (more = "") => `
auth: { token: operator-token, federation_token: peer-token }
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "gw:m", max_retries: 0 }
prompt_cache: { enabled: false }
${more}
`;

beforeAll(async () => {
  gateway = await localGateway(textReply("done"));
  write("tea", "description: Makes tea. Use it for tea.\nuser_facing: true\nslash: brew", "Boil the water first.");
  write("oath", "description: Swears.\nuser_only: true", "Swear it.");
  write("bad", "description: [", "Broken.");
  running = await startTestService({ folders, config: config() });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}
const newest = () => gateway.requests.at(-1)?.body as Asked;
const system = () => newest().messages[0]!.content;
const operator = () => running.wireAs(OPERATOR);
const client = () => createOperatorClient({ baseUrl: running.url, token: "operator-token" });

it("names them behind the persona, the same bytes each time, and to no peer", async () => {
  await operator().say("hi");
  const first = system();
  expect(first).toMatch(/addressed in\.\n\nSkills: .*\n- code-review: .*\n- research-report: .*\n- tea: Makes tea\./s);
  expect(first).not.toMatch(/oath|- bad/);
  await operator().say("hi again");
  expect(system()).toBe(first);
  await running.wireAs(PEER).say("hi");
  expect(system()).not.toContain("Skills:");
  expect(newest().tools.map((tool) => tool.function.name)).not.toContain("load_skill");
});

it("counts a hand edit from the next turn, and a skill that is switched off not at all", async () => {
  const changed = async (text: RegExp) => {
    await expect
      .poll(async () => {
        await operator().say("hi");
        return system();
      })
      .toMatch(text);
  };
  write("soup", "description: Makes soup.", "Stir.");
  await changed(/- soup: Makes soup\./);
  folders.configure(config("skills: { enabled: false }"));
  await changed(/addressed in\.$/);
  expect(newest().tools.map((tool) => tool.function.name)).not.toContain("load_skill");
  folders.configure(config("skills: { top_k: 1 }"));
  await changed(/- soup: Makes soup\./);
});

it("are loaded by the model, and begun by a slash, whose body leads the turn", async () => {
  const { commands } = await client().get("/api/chat/commands");
  expect(commands).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "brew", kind: "skill", description: "Makes tea. Use it for tea" }),
      expect.objectContaining({ name: "oath", kind: "skill" }),
    ]),
  );
  await operator().say("/brew for two");
  expect(newest().messages.at(-1)).toMatchObject({ role: "user", content: "Boil the water first.\n\nfor two" });
  await running.wireAs(PEER).say("/brew for two");
  expect(newest().messages.at(-1)).toMatchObject({ content: "/brew for two" });
});

it("lie in skills.dir where that is set", async () => {
  const other = temporaryFolders();
  const folder = join(other.home, "my-skills", "jam");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), "---\nname: jam\ndescription: Makes jam.\n---\nCook.\n");
  other.configure(`model: { name: "scripted:demo" }\nskills: { dir: "${join(other.home, "my-skills")}" }`);
  await using service = await startTestService({ folders: other });
  const said = async (text: string) => JSON.stringify(await service.wire.say(text));
  expect(await said("/call list_skills {}")).toContain("- jam [user]: Makes jam.");
  expect(await said('/call load_skill {"name":"jam"}')).toContain("Cook.");
  expect(await said('/call load_skill {"name":"none"}')).toContain("there is no skill");
});

it("ship as files that are skills", () => {
  for (const name of ["code-review", "research-report", "write-a-skill"]) {
    const text = readFileSync(
      join(import.meta.dirname, "../../../../../packages/agent-core/skills", name, "SKILL.md"),
      "utf8",
    );
    expect(text.startsWith(`---\nname: ${name}\n`)).toBe(true);
  }
});
