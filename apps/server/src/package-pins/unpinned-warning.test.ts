// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of settings are written so
import { expect, it } from "vitest";
import { unpinnedWarning } from "./index.ts";

const digest = `sha256:${"a".repeat(64)}`;

it.each([
  "npx -y some-mcp@1.2.3",
  "npx -y @scope/some-mcp@2026.8.31",
  "/usr/bin/npx --yes --package @scope/a@1.0.0 a-cli",
  "npx -y --registry https://registry.example a@1.2.3-beta.1",
  "npx ./server",
  "uvx some-mcp@1.2",
  "uvx --from some-mcp[all]==1.2.3 some-mcp",
  "uvx --python 3.12 some-mcp@1.2.3",
  `uvx --from git+https://git.example/a@${"a".repeat(40)} a`,
  "pnpm dlx a@1.2.3",
  "docker run -i --rm -e TOKEN --name a ghcr.io/a/b:v1.2.3",
  `docker run -i --rm a/b@${digest}`,
  "npx -y ${PACKAGE}",
  "node server.js",
  "docker compose up",
  "npx",
])("a fixed version, or nothing to fix: %s", (line) => {
  const [command = "", ...args] = line.split(" ");
  expect(unpinnedWarning(command, args)).toBeUndefined();
});

it.each([
  "npx -y some-mcp",
  "npx -y some-mcp@latest",
  "npx -y some-mcp@1",
  "npx -y @scope/some-mcp@^1.2.3",
  "npx.cmd -y @scope/some-mcp",
  "npm exec -- some-mcp",
  "bunx some-mcp",
  "npx -y github:a/b",
  "uvx some-mcp",
  "uvx --from some-mcp>=1 some-mcp",
  "uv tool run some-mcp",
  "pipx run some-mcp",
  "docker run -i --rm -e TOKEN ghcr.io/a/b",
  "podman run -i registry.example:5000/a/b:latest",
])("what may change over night is worth a warning: %s", (line) => {
  const [command = "", ...args] = line.split(" ");
  expect(unpinnedWarning(command, args)).toMatch(/has no fixed version; write /);
});
