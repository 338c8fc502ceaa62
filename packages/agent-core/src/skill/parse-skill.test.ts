import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { parseSkill, type ReadYaml } from "./parse-skill.ts";

/** A head of JSON, which is YAML too. */
const readYaml: ReadYaml = (text) => {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === "object" && values !== null && !Array.isArray(values))
      return { ok: true, values: values as { readonly [key: string]: unknown } };
  } catch {
    // Said below.
  }
  return { ok: false, line: 1, reason: "no mapping" };
};
const written = (head: object, body = "Do it.") => `---\n${JSON.stringify(head)}\n---\n\n${body}\n`;
const parsed = (head: object, folder = "tea") => parseSkill(folder, written(head), readYaml);
const TEA = { name: "tea", description: "Makes tea." };

describe("a SKILL.md", () => {
  it("is a head between two lines, and a body (K27)", () => {
    const text = `\ufeff${written({ ...TEA, tools: "kettle, cup" }, "# Tea\n\n---\n\nBoil.")}`.replaceAll("\n", "\r\n");
    expect(parseSkill("tea", text, readYaml)).toEqual({
      ok: true,
      skill: {
        ...{ name: "tea", description: "Makes tea.", body: "# Tea\n\n---\n\nBoil.", tools: ["kettle", "cup"] },
        ...{ userFacing: false, userOnly: false, slash: "tea", head: { ...TEA, tools: "kettle, cup" } },
      },
    });
  });

  it("may have keys of the format and of others, and ours also under metadata", () => {
    const head = {
      ...{ ...TEA, license: "MIT", compatibility: "any", "allowed-tools": "Bash(git:*)", "x-of-others": [1] },
      metadata: { user_facing: "true", slash: "/brew", user_only: false, tools: ["kettle"] },
    };
    expect(parsed(head)).toMatchObject({
      ok: true,
      skill: { userFacing: true, userOnly: false, slash: "brew", tools: ["kettle"], head },
    });
    expect(parsed({ name: "3d-print", description: "Prints." }, "3d-print")).toMatchObject({
      skill: { slash: "skill-3d-print" },
    });
  });

  it.each([
    ["another name", { ...TEA, name: "coffee" }, "name has to be"],
    ["no description", { name: "tea" }, "description is missing"],
    ["a blank description", { ...TEA, description: "  " }, "description is missing"],
    ["a long description", { ...TEA, description: "x".repeat(1_025) }, "1024 characters"],
    ["tools of no name", { ...TEA, tools: ["a b"] }, "tools has to be"],
    ["tools of another kind", { ...TEA, tools: { a: 1 } }, "tools has to be"],
    ["a flag that is none", { ...TEA, user_facing: "yes" }, "user_facing has to be"],
    ["a command that is none", { ...TEA, slash: "Brew it" }, "slash has to begin"],
    ["a licence that is no text", { ...TEA, license: {} }, "license has to be text"],
    ["metadata that is none", { ...TEA, metadata: [] }, "metadata has to be"],
  ])("with %s is broken, and says why", (_, head, fault) => {
    expect(parsed(head)).toEqual({ ok: false, fault: expect.stringContaining(fault) });
  });

  it.each(["Tea", "tea-", "-tea", "te--a", "tea.md", "", "x".repeat(65), "thé", "../tea"])(
    "in a folder named %j is broken",
    (folder) => {
      expect(parsed({ ...TEA, name: folder }, folder)).toMatchObject({
        fault: expect.stringContaining("folder's name"),
      });
    },
  );

  it.each([
    ["", "begin with a line ---"],
    ["# Tea", "begin with a line ---"],
    ["---\n{}\n", "that ends the head is missing"],
    ["---\n[]\n---\n", "line 2: no mapping"],
    ["---\n{}\n---\n\0", "no text"],
  ])("of the text %j is broken", (text, fault) => {
    expect(parseSkill("tea", text, readYaml)).toEqual({ ok: false, fault: expect.stringContaining(fault) });
  });

  it("property: any text is a skill or a fault, which repeats nothing of it", () => {
    const secret = "s3cr3t-value";
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.jsonValue(), (text, value) => {
        for (const one of [
          text,
          `---\n${text}\n---\n`,
          written({ ...TEA, slash: value, tools: value, license: secret }),
        ]) {
          const result = parseSkill("tea", one, readYaml);
          if (!result.ok) expect(result.fault).not.toContain(secret);
        }
      }),
    );
  });
});
