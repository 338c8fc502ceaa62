import { createRedactor } from "../redaction/index.ts";
import { connectTarget, type ProgramSurroundings } from "./connect-target.ts";
import {
  ConnectionError,
  openConnection,
  type RequestAuthorization,
  silentFor,
  type TransportSource,
} from "./connection/index.ts";
import { definitionDigest, type PinnedDefinition, readShown } from "./definition/index.ts";
import type { McpSectionValue } from "./mcp-section.ts";
import { promptViewOf, toolViewOf } from "./mcp-server-entry.ts";
import type { McpTestResult } from "./mcp-server-view.ts";
import type { McpServersOptions } from "./mcp-servers-options.ts";
import { type PlaceholderSource, secretTextsOf } from "./placeholder/index.ts";
import { promptRows } from "./prompt/index.ts";
import { listedResources } from "./resource/index.ts";
import type { McpServerSettings } from "./settings/index.ts";
import { toolRows } from "./tool/index.ts";

/** What a server is tried with. */
export interface ServerTrial extends ProgramSurroundings {
  readonly settings: McpServerSettings;
  readonly placeholders: PlaceholderSource;
  readonly source: TransportSource;
  readonly timeoutMs: number;
  readonly version: string;
  readonly denylist: readonly string[];
  readonly signal: AbortSignal;
  /** Of a server that is signed in to. */
  readonly authorization?: RequestAuthorization | undefined;
  redact(text: string): string;
}

/** What a trial has of the service. */
export function trialOf(
  settings: McpServerSettings,
  { denylist, timeout_seconds }: McpSectionValue,
  { source, version, writable, redactor }: Pick<McpServersOptions, "source" | "version" | "writable" | "redactor">,
): Omit<ServerTrial, "placeholders" | "authorization" | "signal"> {
  const redact = (text: string): string => redactor.text(text);
  return { settings, source, version, writable, denylist, redact, timeoutMs: timeout_seconds * 1_000 };
}

/** Connects, lists tools, prompts and resources, and ends; keeps nothing. */
export async function testServer(trial: ServerTrial): Promise<McpTestResult> {
  const { settings, placeholders, source, timeoutMs, version, denylist, signal } = trial;
  // Its secrets are not saved, so the service's redactor does not know them.
  const unsaved = secretTextsOf(settings.target, placeholders);
  const own = createRedactor({ secrets: () => unsaved });
  const redact = (text: string): string => trial.redact(own.text(text));
  const resolved = connectTarget(settings.target, placeholders, trial);
  if (!resolved.ok) return { ok: false, error: resolved.problem };
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let lastLine: string | undefined;
  try {
    const connection = await openConnection({
      ...{ server: settings.name, target: resolved.target, source, timeoutMs, version, elicitation: false, redact },
      ...{ signal: late, authorization: trial.authorization },
      onLog: (line) => {
        lastLine = line;
      },
      onClosed: () => {},
      onListChanged: () => {},
      onElicitation: async () => ({ action: "cancel" }),
    });
    try {
      const tools = await connection.list("tools", late);
      const prompts = await connection.list("prompts", late);
      const { definitions } = readShown({ tools, prompts }, redact);
      const pins = definitions.map((approved): PinnedDefinition => {
        const { kind, name } = approved;
        const digest = definitionDigest(approved);
        return { kind, name, digest, approved, seen: undefined, state: "approved", seenAt: 0, decidedAt: undefined };
      });
      const of = [{ settings, pins }];
      const shown = [
        ...(toolRows(of, denylist).get(settings.name) ?? []).flatMap((row) => toolViewOf(row) ?? []),
        ...(promptRows(of, denylist).get(settings.name) ?? []).flatMap((row) => promptViewOf(row) ?? []),
      ];
      const resources = connection.hasResources
        ? await connection.request("resources/list", {}, { signal: late, timeoutMs })
        : undefined;
      return { ok: true, era: connection.era, tools: shown, resources: listedResources(resources, redact) };
    } finally {
      await connection.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { ok: false, error: silentFor(timeoutMs, settings.target) };
    const reason = error instanceof ConnectionError ? error.message : "it could not be connected";
    return { ok: false, error: redact(lastLine === undefined ? reason : `${reason}; its last line: ${lastLine}`) };
  }
}
