import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type SkillDetail, type SkillRow, type SkillsService, skillsRoutes } from "./routes.ts";

const row = (name: string): SkillRow => ({
  ...{ id: name, name, description: "Makes it.", tools_used: [], source: "disk", confidence: 1, uses: 0 },
  ...{ last_used: null, changed_at: null, user_facing: false, slash: "", user_only: false, tier: "private" },
  ...{ origin: "user", editable: true, promotable: false, fault: null },
});
const detail = (name: string): SkillDetail => ({ ...row(name), prompt_template: "Do.", text: "---", files: [] });

function routes(isOn = true) {
  const asked: unknown[][] = [];
  const done =
    <T>(verb: string, answer: (...sent: never[]) => T) =>
    async (...sent: unknown[]): Promise<T> => {
      asked.push([verb, ...sent]);
      return answer(...(sent as never[]));
    };
  const service: SkillsService = {
    enabled: () => isOn,
    list(limit, after = "") {
      return ["jam", "soup", "tea"]
        .filter((name) => name > after)
        .slice(0, limit)
        .map(row);
    },
    read: detail,
    create: done("create", detail),
    edit: done("edit", detail),
    remove: done("remove", () => undefined),
    versions: done("versions", () => []),
    restore: done("restore", detail),
    promote: done("promote", () => undefined),
  };
  return { ask: askRoutes(skillsRoutes(service)), asked };
}

it("pages by name", async () => {
  const { ask } = routes();
  const first = (await ask("GET", "/api/playbooks?limit=2")).body as { playbooks: SkillRow[]; next_cursor: string };
  expect(first.playbooks.map(({ id }) => id)).toEqual(["jam", "soup"]);
  expect((await ask("GET", `/api/playbooks?limit=2&cursor=${first.next_cursor}`)).body).toMatchObject({
    playbooks: [{ id: "tea" }],
    next_cursor: null,
  });
});

it("takes a body and tools under both of their names", async () => {
  const { ask, asked } = routes();
  const said = { name: "tea", description: "Makes tea." };
  expect((await ask("POST", "/api/playbooks", { ...said, body: "Boil.", tools_used: ["a"] })).status).toBe(200);
  await ask("POST", "/api/playbooks", {
    ...said,
    prompt_template: "Boil.",
    body: "x",
    tools: ["a"],
    tools_used: ["b"],
  });
  for (const [verb, name, change] of asked)
    expect([verb, name, change]).toEqual(["create", "tea", expect.objectContaining({ body: "Boil.", tools: ["a"] })]);
  await ask("PUT", "/api/playbooks/tea", { user_only: true, reason: "Mine." });
  expect(asked.at(-1)).toEqual([
    "edit",
    "tea",
    expect.objectContaining({ userOnly: true, reason: "Mine.", body: undefined }),
  ]);
});

it.each([
  [400, { description: "x", body: "x" }],
  [400, { name: "tea", body: "x" }],
  [400, { name: "tea", description: "x", prompt_template: " " }],
  [422, { name: "Tea", description: "x", body: "x" }],
  [422, { name: "tea", description: "x".repeat(1_025), body: "x" }],
  [422, { name: "tea", description: "x", body: 7 }],
  [422, { name: "tea", description: "x", body: "x", tools: "a" }],
  [422, []],
])("answers %i to what is no skill: %j", async (status, body) => {
  const { ask, asked } = routes();
  expect([(await ask("POST", "/api/playbooks", body)).status, asked]).toEqual([status, []]);
});

it("asks the service for versions, restoring, promoting and deleting", async () => {
  const { ask, asked } = routes();
  await ask("GET", "/api/playbooks/tea/versions?version=3");
  await ask("POST", "/api/playbooks/tea/restore", { version: 3 });
  expect((await ask("POST", "/api/playbooks/tea/promote")).body).toEqual({
    enabled: true,
    promoted: true,
    name: "tea",
  });
  expect((await ask("DELETE", "/api/playbooks/tea")).body).toEqual({ enabled: true, deleted: true });
  expect(asked.map((one) => one.slice(0, 3))).toEqual([
    ["versions", "tea", 3],
    ["restore", "tea", 3],
    ["promote", "tea"],
    ["remove", "tea", undefined],
  ]);
});

it("has an empty list and 503 for the rest while skills are off (O4)", async () => {
  const { ask, asked } = routes(false);
  expect((await ask("GET", "/api/playbooks")).body).toEqual({ enabled: false, playbooks: [], next_cursor: null });
  const body = { name: "tea", description: "x", body: "x" };
  expect((await ask("POST", "/api/playbooks", body)).status).toBe(503);
  expect((await ask("GET", "/api/playbooks/tea")).status).toBe(503);
  expect((await ask("POST", "/api/playbooks/tea/promote")).status).toBe(503);
  expect(asked).toEqual([]);
});
