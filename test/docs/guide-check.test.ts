import { expect, test } from "vitest";
import { guideCheck } from "./guide-check.ts";
import { parseMarkdown } from "./markdown.ts";

const facts = {
  commands: new Map([["chat", new Set(["session"])]]),
  settings: new Set(["onboarding.root", "onboarding.allow"]),
};

const problems = (block: string): readonly string[] =>
  guideCheck([parseMarkdown("docs/guides/a.md", block)], facts).map(({ message }) => message);

test("commands and their options exist; what stands in quotes is no option", () => {
  expect(problems("```text\n$ agent-service chat --session a 'not --this'\nagent-service none\n```")).toEqual([]);
  expect(problems("```text\n$ agent-service chats\n$ agent-service chat --sesion a\n```")).toEqual([
    'runs "agent-service chats", which is no command',
    'runs "agent-service chat --sesion", which it does not take',
  ]);
});

test("settings exist", () => {
  expect(problems("```yaml\nonboarding:\n  root: ~/x\n  allow:\n    - a: b\n```")).toEqual([]);
  expect(problems("```yaml\nonboardings:\n  root: x\nonboarding:\n  rot: x\n```")).toEqual([
    "sets onboardings, which is no setting",
    "sets onboardings.root, which is no setting",
    "sets onboarding.rot, which is no setting",
  ]);
});
