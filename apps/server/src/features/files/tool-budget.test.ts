/** What the tools for files, commands and code take of every request of the lead agent. */
import { expect, test } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

const TOOLS: ReadonlySet<string> = new Set([
  ...["list_projects", "read_file", "list_dir", "find_files", "search_files", "write_file", "edit_file", "delete_file"],
  ...["run_command", "open_in_editor", "show_code", "onboard_project", "register_local_project", "execute_code"],
]);
/** Of JSON, which tokenizers cut smaller than prose. */
const CHARS_PER_TOKEN = 3;

test("names, descriptions and schemas of all of them are at most 2,200 tokens", async () => {
  const folders = temporaryFolders();
  folders.configure(`model: {name: "scripted:demo"}
filesystem: {code_pane: true, run_network: always, editor_command: "true"}
onboarding: {enabled: true, root: "${folders.root}/clones"}
execute_code: {enabled: true}
`);
  await using running = await startTestService({ folders });
  const { list } = running.service.core.toolbox.for({ subagent: false, peer: false }).shown;
  const tools = list.filter(({ name }) => TOOLS.has(name));
  expect(tools.length).toBe(TOOLS.size);
  expect(JSON.stringify(tools).length / CHARS_PER_TOKEN).toBeLessThanOrEqual(2_200);
});
