/** The agent's tool that reads documents, through the service (K9, K23). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

const root = mkdtempSync(join(tmpdir(), "document-tools-"));
afterAll(() => rmSync(root, { recursive: true }));

it("is read by the agent from addresses and files of projects, and from nowhere else (K23)", async () => {
  const folders = temporaryFolders();
  const project = join(root, "plants");
  mkdirSync(project);
  writeFileSync(join(project, "ferns.md"), "# Ferns\n\nKeep them moist.");
  writeFileSync(join(root, "secret.md"), "No one reads this.");
  const config = (hot: boolean) =>
    `filesystem: {projects: [{name: plants, path: ${JSON.stringify(project)}}]}\nknowledge: {hot_write_confirm: ${hot}}\n`;
  folders.configure(config(false));
  await using local = await startTestService({ folders });
  const ingest = async (args: object) =>
    JSON.stringify(await local.wire.say(`/call knowledge_ingest ${JSON.stringify(args)}`));
  expect(await ingest({ source: "ferns.md", domain: "Plants" })).toContain("Read source 1: 1 memories in 'plants'.");
  expect(await ingest({ source: "ferns.md", domain: "plants" })).toContain("Read source 1: 1 memories");
  expect(await ingest({ source: "../secret.md" })).toContain("it leads out of the project");
  expect(await ingest({ source: "http://127.0.0.1:1/x" })).toContain("127.0.0.1");
  expect(await ingest({ source: "ferns.md", domain: "hot" })).toContain("They wait for review.");
  folders.configure(config(true));
  local.live.reload();
  expect(await ingest({ source: "nothing.md", domain: "hot" })).toContain("always-on memory needs the operator");
  writeFileSync(join(project, "ferns.md"), "# Ferns\n\nKeep them dry.");
  expect(await ingest({ source: "ferns.md", domain: "plants" })).toContain("Read source 3");
  const { results } = (await (await fetch(`${local.url}/api/knowledge/search?q=ferns`)).json()) as {
    results: { content: string }[];
  };
  expect(results.map(({ content }) => content)).toEqual(["Keep them dry."]);
});
