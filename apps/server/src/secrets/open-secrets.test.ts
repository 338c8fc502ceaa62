/** When the section of the secrets manager is looked for at a start. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { localInfisical } from "@agent-service/config/testing";
import { expect, test } from "vitest";
import { createLiveSettings } from "../settings/index.ts";
import { temporaryFolders } from "../testing/index.ts";
import { openSecrets } from "./open-secrets.ts";

test.each([
  ["a block", (host: string) => `secrets_manager:\n  # why\n\n  enabled: true\n  host: ${host}\n  project_id: p\n`],
  ["one line", (host: string) => `a2a: {}\n"secrets_manager" : { enabled: true, host: "${host}", project_id: p }\n`],
  ["JSON", (host: string) => JSON.stringify({ a: 1, secrets_manager: { enabled: true, host, project_id: "p" } })],
  [
    "a comment behind its name",
    (host: string) => `secrets_manager: # ours\n  enabled: true\n  host: ${host}\n  project_id: p`,
  ],
])("a section written as %s is found", async (_name, yaml) => {
  await using infisical = await localInfisical({ clientId: "id", clientSecret: "s", projectId: "p", secrets: [] });
  const folders = temporaryFolders(yaml(infisical.host));
  writeFileSync(join(folders.config, "secrets.yaml"), "secrets_manager: {client_id: id, client_secret: s}", {
    mode: 0o600,
  });
  const { manager } = await openSecrets({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  expect(manager.status()).toMatchObject({ enabled: true, ok: true });
  folders.remove();
});

test("nothing is fetched for the example that a first run leaves", async () => {
  const folders = temporaryFolders();
  const env = { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config };
  createLiveSettings({ env });
  const { manager } = await openSecrets({ env });
  expect(manager.status()).toMatchObject({ enabled: false, ok: null });
  folders.remove();
});
