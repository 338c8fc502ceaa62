import { expect, it } from "vitest";
import type { Skill } from "./skill-types.ts";
import { authorLabel, nameProblem, skillFacts } from "./skill-words.ts";

const skill = { origin: "user", slash: "", user_only: false, uses: 0 } as Skill;

it("says in a line where a skill comes from and how it is begun", () => {
  expect(skillFacts(skill)).toBe("Yours");
  expect(skillFacts({ ...skill, origin: "bundled", slash: "review", uses: 1 })).toBe(
    "Comes with the service · /review · used once",
  );
  expect(skillFacts({ ...skill, origin: "learned", slash: "tea", user_only: true, uses: 7 })).toBe(
    "Saved by the agent · /tea · begun by you alone · used 7 times",
  );
});

it("says who made a version, or deleted the skill with it", () => {
  expect(authorLabel({ author: "agent", chars: 3 })).toBe("Changed by the agent");
  expect(authorLabel({ author: "hand", chars: null })).toBe("Deleted in the file");
});

it("knows names that the service takes", () => {
  for (const name of ["", "tea", "weekly-report", "3d"]) expect(nameProblem(name)).toBeUndefined();
  for (const name of ["Tea", "a--b", "-a", "a b", "x".repeat(65)]) expect(nameProblem(name)).toBeDefined();
});
