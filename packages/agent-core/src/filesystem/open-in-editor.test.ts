/** A file of a project in the operator's editor, which is started and left to itself (F26). */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import { parse, safeParse } from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock/index.ts";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../fence/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { filesystemSection } from "./filesystem-section.ts";
import { type EditorHandoff, openInEditor } from "./index.ts";

let base: string;
const offered: Pick<EditorHandoff, "path" | "line">[] = [];
let withdrawn = 0;
const at = (...parts: string[]): string => join(base, ...parts);

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "editor-")));
  put("app/src/a file.ts", "one\n");
  put("app/.env", "KEY=1");
  const note = `printf '%s\\n' "$@" > "${base}/said"; env > "${base}/env"; cut -d' ' -f1,5 /proc/$$/stat > "${base}/ids"; cat > "${base}/input"`;
  program("bin/edit", note);
  program("bin/fail", "exit 3");
  program("bin/stay", `echo $$ > "${base}/pid"; exec sleep 600`);
  program("app/bin/planted", "touch planted");
  symlinkSync("../app/bin/planted", at("bin/linked"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));
beforeEach(() => {
  offered.length = 0;
  withdrawn = 0;
});

function put(path: string, content: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}

function program(path: string, script: string): void {
  put(path, `#!/bin/sh\n${script}\n`);
  chmodSync(at(path), 0o755);
}

function editor(
  editor_command: string,
  { handoff = true, clock = systemClock(), path = `${at("bin")}:${at("app/bin")}:${process.env.PATH}` } = {},
) {
  const registry = new ProjectRegistry([projectAt({ name: "app", path: at("app"), write: false })]);
  const tool = openInEditor({
    fence: new Fence({ projects: () => registry, places: () => new ProtectedPlaces([]) }),
    ...{
      clock,
      userHome: base,
      inherited: { PATH: path, DISPLAY: ":7", XDG_RUNTIME_DIR: "/run/x", API_KEY: "canary" },
    },
    settings: () => ({ editor_command, editor_handoff: handoff }),
    async offer({ path, line }) {
      offered.push({ path, line });
      return () => void withdrawn++;
    },
  });
  return async (args: object, signal = new AbortController().signal): Promise<unknown> =>
    tool.run(parse(tool.input, { project: "app", ...args }), fakeContext({ signal }));
}

test("gets the file and its line as one more argument, without a shell, in a group of its own", async () => {
  const open = editor("edit --wait  '$HOME; touch x' \"two words\"");
  const said = await open({ file_path: "src/../src/a file.ts", line: 12.2 });
  expect(said).toBe(
    "opened src/../src/a file.ts:12 of project app in the editor; the agent there can continue this conversation",
  );
  const told = readFileSync(at("said"), "utf8").trimEnd().split("\n");
  expect(told).toEqual(["--wait", "$HOME; touch x", "two words", `${at("app/src/a file.ts")}:12`]);
  expect(offered).toEqual([{ path: "src/../src/a file.ts", line: 12 }]);
  const environment = readFileSync(at("env"), "utf8");
  expect(environment).toMatch(/^DISPLAY=:7$/m);
  expect(environment).toMatch(/^XDG_RUNTIME_DIR=/m);
  expect(environment).not.toMatch(/canary|AGENT_SERVICE|SVC_/);
  const [pid, group] = readFileSync(at("ids"), "utf8").trim().split(" ");
  expect(group).toBe(pid);
  expect(readFileSync(at("input"), "utf8")).toBe("");
});

test("that fails at once fails the call and takes the offer back; without the setting nothing is offered", async () => {
  await expect(editor("fail")({ path: "src/a file.ts" })).rejects.toThrow("the editor ended at once with code 3");
  expect([offered.length, withdrawn]).toEqual([1, 1]);
  expect(await editor("edit", { handoff: false })({ path: "src/a file.ts" })).toBe(
    "opened src/a file.ts of project app in the editor",
  );
  expect(offered.length).toBe(1);
});

test("that runs on after 1.5 s is open, and is not ended", async () => {
  const clock = manualClock(0);
  const opening = editor("stay", { clock })({ path: "src/a file.ts" });
  await clock.untilDueIn(1_500);
  const pidOf = () => Number(existsSync(at("pid")) ? readFileSync(at("pid"), "utf8") : 0);
  await expect.poll(pidOf).toBeGreaterThan(0);
  await clock.advance(1_500);
  expect(await opening).toMatch(/^opened src/);
  const pid = pidOf();
  onTestFinished(() => void process.kill(pid));
  expect(process.kill(pid, 0)).toBe(true);
  expect([withdrawn, clock.nextAt()]).toEqual([0, undefined]);
});

describe("is not started", () => {
  test.each([
    ["planted", 'no program "planted" on the PATH outside of the projects'],
    ["linked", "a program in a project, where the agent could change it"],
    ["ABSOLUTE", "a program in a project, where the agent could change it"],
    ["/none/edit", 'there is no program "/none/edit"'],
    ["", "no editor is set"],
  ])("as %j", async (command, reason) => {
    const open = editor(command === "ABSOLUTE" ? at("app/bin/planted") : command);
    await expect(open({ path: "src/a file.ts" })).rejects.toThrow(reason);
    expect(offered).toEqual([]);
  });

  test.each([
    ["fence.denied", ".env"],
    ["fence.outside", "../said"],
    ["fence.missing", "src/none"],
    ["fence.not-a-file", "src"],
  ])("for what the fence refuses: %s", async (code, path) => {
    rmSync(at("said"), { force: true });
    await expect(editor("edit")({ path })).rejects.toMatchObject({ code });
    expect([existsSync(at("said")), offered]).toEqual([false, []]);
  });

  test("more than ten times in a minute", async () => {
    const clock = manualClock(0);
    const open = editor("edit", { clock });
    for (let count = 0; count < 10; count++) await open({ path: "src/a file.ts" });
    await expect(open({ path: "src/a file.ts" })).rejects.toThrow("10 files were opened in the last minute");
    await clock.advance(60_000);
    await open({ path: "src/a file.ts" });
  });
});

test.each(["code 'x", "./edit", "bin/edit", "'' a", "code\nrm", "code\0"])(
  "the setting refuses %j (S8)",
  (editor_command) => {
    expect(safeParse(filesystemSection.schema, { editor_command }).success).toBe(false);
  },
);

test.each(["", "  ", "code --goto", "'/opt/my editor/bin/edit' -n"])("the setting takes %j", (editor_command) => {
  expect(safeParse(filesystemSection.schema, { editor_command }).success).toBe(true);
});
