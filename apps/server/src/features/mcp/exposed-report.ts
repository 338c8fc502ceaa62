import type { McpService } from "@agent-service/operator-api";
import type { ExposedEntry, ExposeSettings } from "../../exposed-tools/index.ts";

/** What `/mcp` offers by the settings, on or off. */
export interface Exposed {
  readonly settings: ExposeSettings;
  readonly entries: readonly ExposedEntry[];
}

/** As `GET /api/mcp/exposed` has it. */
export function exposedReport({ settings, entries }: Exposed): ReturnType<McpService["exposed"]> {
  const { enabled, profile, tools } = settings;
  return {
    ...{ enabled, path: "/mcp", tools: entries.map(({ name }) => name), count: entries.length, profile },
    ...{ star: tools.includes("*"), trust_override: false, entries },
  };
}
