import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_PERSONA_CHARS, openPersonaFile } from "./persona-file.ts";
import { PERSONA_PRESETS, personaPreset } from "./persona-presets.ts";
import { personaText } from "./persona-text.ts";

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "persona-"));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opened = () => openPersonaFile({ file: join(folder, "SOUL.md"), warn: (message) => void warnings.push(message) });

describe("the persona's file", () => {
  it("need not exist, and is read in one form whatever wrote it", () => {
    expect(opened().text()).toBe("");
    writeFileSync(join(folder, "SOUL.md"), "\ufeff# Who\r\n\r\nA careful one.\r\n\0");
    expect(opened().text()).toBe("# Who\n\nA careful one.");
  });

  it("is written whole, counts at once, and leaves nothing beside it", () => {
    const persona = opened();
    persona.write("Kind.\n\n");
    expect([persona.text(), readFileSync(join(folder, "SOUL.md"), "utf8")]).toEqual(["Kind.", "Kind.\n"]);
    expect(readdirSync(folder)).toEqual(["SOUL.md"]);
    persona.write("");
    expect(persona.text()).toBe("");
  });

  it("reports a change, and nothing where it stays the same", () => {
    let changes = 0;
    const file = join(folder, "SOUL.md");
    const persona = openPersonaFile({ file, warn: () => {} });
    persona.subscribe(() => void changes++);
    persona.reload();
    expect(changes).toBe(0);
    persona.write("Kind.");
    persona.write("Kind.");
    persona.reload();
    expect(changes).toBe(1);
    rmSync(file);
    persona.reload();
    expect(changes).toBe(2);
  });

  it("is read again on request; one that is too long or unreadable causes a warning and leaves the previous text in effect", () => {
    const persona = opened();
    persona.write("Kind.");
    writeFileSync(join(folder, "SOUL.md"), "Kinder.");
    expect(persona.text()).toBe("Kind.");
    persona.reload();
    expect(persona.text()).toBe("Kinder.");
    for (const chars of [MAX_PERSONA_CHARS + 1, MAX_PERSONA_CHARS * 5]) {
      writeFileSync(join(folder, "SOUL.md"), "x".repeat(chars));
      persona.reload();
    }
    expect(persona.text()).toBe("Kinder.");
    expect(warnings).toEqual([expect.stringContaining("200001 characters"), expect.stringContaining("1000000 bytes")]);
    rmSync(join(folder, "SOUL.md"));
    persona.reload();
    expect(persona.text()).toBe("");
  });
});

describe("the persona's text", () => {
  const identity = { name: "sam", operator: "Ada", org: "Works" };

  it("follows the name and precedes the text of every agent", () => {
    expect(personaText(identity, "").split("\n")).toHaveLength(3);
    expect(personaText(identity, "# Kind")).toMatch(
      /^You are sam, .* working for Ada, Works\.\n\n# Kind\n\nUse your tools/,
    );
  });

  it("ships presets that are personas", () => {
    expect(new Set(PERSONA_PRESETS.map(({ name }) => name)).size).toBe(PERSONA_PRESETS.length);
    for (const { name, content } of PERSONA_PRESETS) {
      expect(name).toMatch(/^[a-z]+$/);
      expect(content).toMatch(/^# .*## Role.*## Manner.*## Limits/s);
      expect(personaPreset(name)?.content).toBe(content);
    }
    expect(personaPreset("unknown")).toBeUndefined();
  });
});
