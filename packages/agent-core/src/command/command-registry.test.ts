import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { type CommandKind, CommandRegistry, readCommand, type SlashCommand } from "./index.ts";

function command(name: string, kind: CommandKind, text = name): SlashCommand {
  return { name, kind, description: text, usage: `/${name}`, run: () => ({ kind: "reply", text }) };
}

test("a command is a name at the start, a small letter first, and what follows (R15)", () => {
  expect(readCommand("/title  A new\nname ")).toEqual({ name: "title", args: "A new\nname" });
  expect(readCommand("/x-1_Y")).toEqual({ name: "x-1_Y", args: "" });
  for (const text of ["", "/", "title", " /title", "//x", "/Title", "/1", "/a/b", "/title,", "/etc/passwd is a file"]) {
    expect(readCommand(text), text).toBeUndefined();
  }
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(readCommand(text) !== undefined).toBe(/^\/[a-z][\w-]*(\s|$)/.test(text));
    }),
  );
});

test("commands are listed once, by kind; a name of an earlier kind hides later ones", () => {
  const registry = new CommandRegistry();
  let skills = [command("deploy", "skill"), command("help", "skill", "hidden")];
  registry.add(() => skills);
  const remove = registry.add([command("deploy", "workflow", "by workflow"), command("goal", "control")]);
  expect(registry.names()).toBe("/help, /goal, /deploy");
  expect(registry.find("deploy")?.description).toBe("by workflow");
  expect(registry.find("help")?.kind).toBe("control");
  remove();
  expect(registry.find("deploy")?.kind).toBe("skill");
  skills = [];
  expect([registry.names(), registry.find("deploy")]).toEqual(["/help", undefined]);
});

test("/help lists the usage and description of each", async () => {
  const registry = new CommandRegistry();
  registry.add([command("goal", "control", "Sets a goal")]);
  const outcome = await registry.find("help")?.run({ args: "", class: "operator", context: "c", incognito: false });
  expect(outcome).toEqual({ kind: "reply", text: "- `/help`: Lists the commands.\n- `/goal`: Sets a goal." });
});
