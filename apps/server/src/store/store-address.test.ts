import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isStoreServer } from "@agent-service/agent-core/host";
import { afterAll, expect, it } from "vitest";
import { storeAddress } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "store-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("names memory, a server or a file, whose folder is made for its owner alone", async () => {
  expect(await storeAddress("")).toBe(":memory:");
  for (const server of ["libsql://a.example", "http://a.example:1", "https://a.example"]) {
    expect([isStoreServer(server), await storeAddress(server)]).toEqual([true, server]);
  }
  const path = join(folder, "deep", "agent.db");
  expect([isStoreServer(path), await storeAddress(path)]).toEqual([false, `file:${path}`]);
  expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
});

it("names the folder that cannot be created", async () => {
  await expect(storeAddress("/proc/none/agent.db")).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringContaining("/proc/none/agent.db: its folder cannot be made"),
  });
});
