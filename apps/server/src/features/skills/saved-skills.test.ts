/** Skills that the agent saves through the service: the file, its versions, a restart, the store's place (K1, K28). */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

const SAVE =
  '/call save_skill {"name":"tea","description":"Makes tea. Use it for tea.","body":"Boil the water.","tools":["calculator"]}';

it("are files that the next conversation is given, and their own store's first use", async () => {
  const folders = temporaryFolders();
  folders.configure("");
  const store = join(folders.home, "skills.db");
  const file = join(folders.config, "skills", "tea", "SKILL.md");
  {
    await using service = await startTestService({ folders });
    const said = async (text: string) => JSON.stringify(await service.wire.say(text));
    expect(await said("/call list_skills {}")).toContain("- code-review [bundled]");
    expect(existsSync(store)).toBe(false);
    expect(await said(SAVE)).toContain("Saved the skill 'tea' (version 1).");
    expect(readFileSync(file, "utf8")).toBe(
      [
        "---",
        "name: tea",
        "description: Makes tea. Use it for tea.",
        'tools: ["calculator"]',
        'metadata: {"origin":"learned"}',
        "---",
        "",
        "Boil the water.",
        "",
      ].join("\n"),
    );
    expect(existsSync(store)).toBe(true);
    expect(await said(SAVE)).toContain("there is a skill tea");
    expect(await said("/call list_skills {}")).toContain("- tea [learned]: Makes tea.");
    expect(await said('/call update_skill {"name":"tea","body":"x","reason":"y"}')).toContain("there is no tool named");
  }
  folders.configure("skills: { self_improvement: auto }");
  {
    await using service = await startTestService({ folders });
    const said = async (text: string) => JSON.stringify(await service.wire.say(text));
    expect(await said('/call update_skill {"name":"tea","body":"Boil it longer.","reason":"It was weak."}')).toContain(
      "Changed the skill 'tea' (version 2).",
    );
    expect(await said('/call update_skill {"name":"code-review","body":"x","reason":"y"}')).toContain("it is bundled");
    expect(readFileSync(file, "utf8")).toContain("Boil it longer.");
    writeFileSync(file, readFileSync(file, "utf8").replace("longer", "even longer"));
  }
  await using service = await startTestService({ folders });
  const said = async (text: string) => JSON.stringify(await service.wire.say(text));
  expect(await said('/call update_skill {"name":"tea","description":"Tea.","reason":"Shorter."}')).toContain(
    "(version 4)",
  );
  expect(readFileSync(file, "utf8")).toContain("Boil it even longer.");
  expect(await said('/call delete_skill {"name":"tea","reason":"No one drinks it."}')).toContain("Deleted the skill");
  expect(existsSync(file)).toBe(false);
});

it("have their versions where skills.db_path says, in the home where that cannot be written", async () => {
  const folders = temporaryFolders();
  const path = join(folders.home, "elsewhere", "versions.db");
  folders.configure(`skills: { db_path: "${path}" }`);
  {
    await using service = await startTestService({ folders });
    expect(JSON.stringify(await service.wire.say(SAVE))).toContain("version 1");
    expect(existsSync(path)).toBe(true);
  }
  rmSync(join(folders.config, "skills"), { recursive: true });
  folders.configure(`skills: { db_path: "${join(folders.config, "agent-config.yaml", "x.db")}" }`);
  await using service = await startTestService({ folders });
  expect(JSON.stringify(await service.wire.say(SAVE))).toContain("version 1");
  expect(existsSync(join(folders.home, "skills", "skills.db"))).toBe(true);
});
