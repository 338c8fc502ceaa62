/** The table of variables against the documents and against the code. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ENVIRONMENT_VARIABLES } from "./environment-table.ts";
import { RESERVED_VARIABLES } from "./unbuilt-features.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const used = ENVIRONMENT_VARIABLES.map(({ name }) => name);
const reserved = RESERVED_VARIABLES.map(({ name }) => name);

/** Every variable that docs/specification names. */
const DOCUMENTED = [
  ...["A2A_AUTH_TOKEN", "<AGENT_NAME>_API_KEY", "A2A_FEDERATION_TOKEN", "A2A_ALLOWED_ORIGINS", "SVC_TRUSTED_HOSTS"],
  ...["SVC_ALLOW_OPEN", "PEER_<HANDLE>_TOKEN", "PEER_<HANDLE>_URL", "SCHEDULER_FIRE_TIMEOUT_S", "LOG_BUFFER_LINES"],
  ...["SVC_FLEET_MAX_WARM", "SVC_FLEET_WARM_GRACE", "MODEL_API_KEY", "MODEL_API_BASE", "AGENT_NAME", "SVC_HOME"],
  ...["SVC_CONFIG_DIR", "SVC_WORKSPACE", "SVC_MODEL", "SVC_INSTANCE", "SVC_CODEX_BASE_URL", "SVC_CODEX_OUTPUT_VERSION"],
  ...["SVC_UI", "SVC_HOST", "SVC_HEADLESS", "SVC_HEADLESS_SETUP", "SVC_FLEET_AUTOSTART", "SVC_DISCOVERY_DISABLE"],
  ...["SVC_FLEET_KEEP_MEMBERS_ON_EXIT", "A2A_PUBLIC_URL", "MEMORY_PATH", "SVC_DISABLE_MEMORY", "NOTES_PATH"],
  ...["TASKS_DB_PATH", "GOAL_PATH", "AUDIT_PATH", "KNOWLEDGE_DB_PATH", "SCHEDULER_DB_DIR", "SCHEDULER_INVOKE_URL"],
  ...["SCHEDULER_DISABLED", "TRACING_PUBLIC_KEY", "TRACING_SECRET_KEY", "TRACING_HOST", "SVC_FLEET_TRACE_EXPORT"],
  ...["LOG_LEVEL", "LOG_FORMAT", "PUSH_NOTIFICATION_ALLOWED_HOSTS", "PUSH_NOTIFICATION_ALLOWED_CIDRS"],
  ...["SECRETS_MANAGER_CLIENT_ID", "SECRETS_MANAGER_CLIENT_SECRET", "SVC_NO_SECRETS_HYDRATE"],
];

test("every documented variable is used or has the feature that brings it, and none has both", () => {
  const all = [...used, ...reserved];
  expect(new Set(all).size).toBe(all.length);
  expect(DOCUMENTED.filter((name) => !all.includes(name))).toEqual([]);
});

/** Sources of packages and apps, without tests and without what declares variables. */
function sources(): string[] {
  return ["packages", "apps"].flatMap((kind) =>
    readdirSync(join(root, kind)).flatMap((name) => {
      const folder = join(root, kind, name, "src");
      return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter(
          (file) =>
            /\.tsx?$/.test(file) &&
            !/\.test\.tsx?$|testing\/|environment-table|-section\.ts|unbuilt-features|service-process|test-service/.test(
              file,
            ),
        )
        .map((file) => readFileSync(join(folder, file), "utf8"));
    }),
  );
}

/** Names as code reads them: `env.NAME`, or a text that is nothing else. */
function namesRead(source: string): string[] {
  const quoted = [...source.matchAll(/["'`]([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)["'`]/g)];
  const members = [...source.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)];
  return [...quoted, ...members].map(([, name]) => name as string);
}

test("what the code reads is the table, no more and no less", () => {
  const read = new Set(sources().flatMap(namesRead));
  // Loading reads the ones that feed a setting; the name of one is made from the agent's.
  const own = ENVIRONMENT_VARIABLES.filter(({ setting }) => setting === undefined).map(({ name }) => name);
  const literal = own.filter((name) => !name.includes("<"));
  expect(literal.filter((name) => !read.has(name))).toEqual([]);
  expect(reserved.filter((name) => read.has(name))).toEqual([]);
  const ours = /^(SVC|A2A|LOG|MODEL_API|PUSH_NOTIFICATION_ALLOWED|SCHEDULER|TRACING|SECRETS_MANAGER|WEB_SEARCH|PEER)_/;
  expect([...read].filter((name) => ours.test(name) && !used.includes(name))).toEqual([]);
});
