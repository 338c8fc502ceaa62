/** Showing lines of a file to the operator, over the composed service (F6, F13, F27). */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, temporaryFolders, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders = temporaryFolders();
const put = (path: string, content: string | Buffer): void => {
  const file = join(folders.root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
const projects = `projects: [{name: app, path: "${folders.root}/app"}, {name: inner, path: "${folders.root}/app/inner"}]\n`;
const configure = (filesystem: string): void =>
  folders.configure(`model: {name: "scripted:demo"}\n${projects}filesystem: ${filesystem}\n`);

let running: TestService;
beforeAll(async () => {
  put("app/src/main.ts", "canary one\ncanary two\ncanary three\n");
  put("app/inner/a.txt", "canary\n");
  put("app/.env", "KEY=canary");
  put("app/image.png", Buffer.from([0x89, 0, 1]));
  symlinkSync("../outside", join(folders.root, "app/out"));
  put("outside", "canary");
  configure("{code_pane: true}");
  running = await startTestService({ folders });
});
afterAll(async () => {
  await running?.stop();
  folders.remove();
});

const call = (args: object) => running.wire.say(`/call show_code ${JSON.stringify(args)}`);
const api = async (path: string): Promise<Json> => (await fetch(`${running.url}${path}`)).json();
const tool = async () => (await api("/api/tools")).tools.find(({ name }: Json) => name === "show_code");

async function shown(args: object): Promise<{ readonly text: string; readonly component: Json }> {
  const task = await call(args);
  const parts = task.artifacts.flatMap((artifact: Json) => artifact.parts);
  const component = parts.find((part: Json) => part.data?.component === "code")?.data;
  if (component !== undefined) expect(JSON.stringify(task)).not.toContain("canary");
  return { text: textOf(task), component };
}

test("lines are shown by where they are, without their content (F27)", async () => {
  const whole = { component: "code", props: { project: "app", path: "src/main.ts", start: null, end: null, note: "" } };
  expect(await shown({ project: "app", path: "src/main.ts" })).toEqual({
    text: expect.stringContaining("Shown: src/main.ts of app."),
    component: whole,
  });
  const note = "Where it waits.";
  const some = await shown({ project: "APP", file_path: "./src/main.ts", start: 2, end: 3, note: ` ${note} ` });
  expect(some.text).toContain("Shown: src/main.ts of app, lines 2 to 3.");
  expect(some.component).toEqual({ component: "code", props: { ...whole.props, start: 2, end: 3, note } });
  expect((await shown({ project: "app", path: "src/main.ts", end: 0 })).component.props).toMatchObject({
    start: 1,
    end: 1,
  });
  expect((await shown({ project: "app", path: "src/main.ts", start: 3, end: 1 })).component.props).toMatchObject({
    ...{ start: 3, end: 3 },
  });
  // Of a project within another: as it was named, so that the route finds it there.
  expect((await shown({ project: "app", path: "inner/a.txt" })).component.props).toMatchObject({
    ...{ project: "app", path: "inner/a.txt" },
  });
  expect(await api("/api/fs/file?project=app&path=inner/a.txt")).toMatchObject({ project: "app", path: "inner/a.txt" });
});

test.each([
  ["a secret", { path: ".env" }, "names like this hold secrets"],
  ["what is outside", { path: "out" }, "it leads out of the project"],
  ["what is missing", { path: "src/mian.ts" }, 'there is "main.ts"'],
  ["a folder", { path: "src" }, "it is a folder"],
  ["what is no text", { path: "image.png" }, "is no text"],
  ["lines that are not there", { path: "src/main.ts", start: 4 }, "has only 3 lines"],
  ["a note without end", { path: "src/main.ts", note: "x".repeat(1_001) }, "note"],
])("%s is not shown, and the model reads why (F3, F4)", async (_what, args, reason) => {
  const { text, component } = await shown({ project: "app", ...args });
  expect([text, component]).toEqual([expect.stringContaining(reason), undefined]);
});

test("it is no peer's, and exists while code_pane is on (F13, F14)", async () => {
  const { toolbox } = running.service.core;
  expect(toolbox.for({ subagent: false, peer: true }).names).not.toContain("show_code");
  expect(await tool()).toMatchObject({ enabled: true, operator_only: true });
  expect((await api("/api/runtime/status")).code_pane).toEqual({ enabled: true });
  for (const off of ["{code_pane: false}", "{enabled: false, code_pane: true}"]) {
    configure(off);
    running.live.reload();
    expect(await tool()).toMatchObject({ enabled: false });
    expect((await api("/api/runtime/status")).code_pane).toEqual({ enabled: false });
    expect((await shown({ project: "app", path: "src/main.ts" })).text).toContain("no tool named");
  }
  configure("{code_pane: true}");
  running.live.reload();
});
