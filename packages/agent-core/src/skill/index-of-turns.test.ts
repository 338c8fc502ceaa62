import { describe, expect, it } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { indexOfTurns } from "./index-of-turns.ts";
import type { Skill } from "./skill.ts";

const DAY_MS = 86_400_000;
const skill = (name: string, description = `Of ${name}.`): Skill => ({
  ...{ name, description, body: "", tools: [], userFacing: false, slash: name, userOnly: false, head: {} },
});

describe("the index of skills", () => {
  const clock = manualClock(Date.parse("2026-07-01T12:00:00Z"));
  let settings = { enabled: true, describedMost: 1, budget: 100 };
  const uses = new Map([["tea", { count: 3, at: 1 }]]);
  const library = { version: 1, skills: [skill("soup", "Makes\n soup."), skill("tea")] };
  const index = indexOfTurns({ library, clock, settings: () => settings, uses: () => uses });

  it("names all skills with their descriptions, the same string while nothing changes", () => {
    const text = index();
    expect(text).toMatch(/load_skill.*\n- soup: Makes soup\.\n- tea: Of tea\.$/s);
    expect(index()).toBe(text);
  });

  it("describes those used most where not all fit, chosen anew once a day (K27)", async () => {
    settings = { ...settings, budget: 15 };
    expect(index()).toMatch(/\n- soup\n- tea: Of tea\.$/);
    uses.set("soup", { count: 9, at: 2 });
    expect(index()).toMatch(/\n- soup\n- tea: Of tea\.$/);
    await clock.advance(DAY_MS);
    expect(index()).toMatch(/\n- soup: Makes soup\.\n- tea$/);
    settings = { ...settings, describedMost: 0 };
    expect(index()).toMatch(/\n- soup\n- tea$/);
    settings = { ...settings, budget: 0 };
    expect(index()).toContain("- tea: Of tea.");
  });

  it("is nothing without skills, or where they are switched off", () => {
    library.skills = [];
    library.version++;
    expect(index()).toBeUndefined();
    library.skills = [skill("tea")];
    library.version++;
    settings = { ...settings, enabled: false };
    expect(index()).toBeUndefined();
  });
});
