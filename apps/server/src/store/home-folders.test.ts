import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startTestService } from "../testing/test-service.ts";

it("makes every folder of the home readable by its owner only, whatever the umask", async () => {
  const before = process.umask(0);
  try {
    await using running = await startTestService();
    const response = await fetch(`${running.url}/api/tasks/init`, { method: "POST" });
    expect(response.status).toBe(200);
    await running.wire.say('/call calculator {"expression": "1+1"}');
    await fetch(`${running.url}/api/theme`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const { home } = running.folders;
    await expect.poll(() => readdirSync(home)).toEqual(expect.arrayContaining(["logs", "tasks"]));
    const folders = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(folders.map((folder) => [folder, (statSync(folder).mode & 0o777).toString(8)])).toEqual(
      folders.map((folder) => [folder, "700"]),
    );
  } finally {
    process.umask(before);
  }
});
