/** MCP servers as operators list, add, change and decide about them (M3, M4, M16). */
import { McpError, REDACTED, toServerName } from "@agent-service/agent-core/host";
import { type McpServerBody, type McpService, Problem } from "@agent-service/operator-api";
import { createOneAtATime } from "../../settings/index.ts";
import { CATALOG, catalogEntry } from "./catalog/index.ts";
import {
  filledServer,
  movesElsewhere,
  type RawServer,
  refusedBody,
  refuseMisplaced,
  sentenceOf,
  storedServer,
  type Values,
  withChange,
  withTarget,
} from "./declared-server.ts";
import { exposedReport } from "./exposed-report.ts";
import { planImport } from "./imported-servers.ts";
import { callReplays } from "./replayed-calls.ts";
import { type McpServiceParts, serverReader, unknownServer } from "./server-reader.ts";
import { callOf, testOf } from "./server-views.ts";
import { signInService } from "./sign-in-service.ts";

/** What a body says of a server: its entry, and values of placeholders. */
interface Declared {
  readonly entry: RawServer;
  readonly inputs: Values;
  readonly secrets: Values;
}

type NamedServer = RawServer & { readonly name: string };

/** How an entry is saved. */
interface Saving {
  readonly inputs: Values | undefined;
  readonly secrets: Values | undefined;
  /** MCP itself too. */
  readonly turnOn: boolean;
  /** What it shows next is approved as of a new server (M8). */
  readonly repin: boolean | undefined;
}

export function mcpService(parts: McpServiceParts): McpService {
  const { operations, saved } = parts;
  const one = createOneAtATime();
  const { entryOf, list, pageOfServer, read, rowOfServer } = serverReader(parts);
  const put = async (whole: NamedServer, { inputs, secrets, turnOn, repin }: Saving): Promise<void> => {
    const { name } = whole;
    const stored = movesElsewhere(saved.entry(name), whole) ? {} : saved.secrets(name);
    await saved.put([storedServer(whole, saved.section, { inputs, secrets, stored })], turnOn);
    if (repin === true) await operations.forget(name);
  };

  return {
    list,
    read,
    add: (body) =>
      one(async () => {
        const { entry, inputs, secrets } = declaredBy(body);
        refuseMasked(entry);
        const name = body.name ?? body.catalog;
        if (name === undefined) throw refusedBody("`name` is missing; give one", "name");
        const before = saved.entry(name);
        const whole = { ...withTarget(before, entry), name };
        await put(whole, { inputs, secrets, turnOn: true, repin: body.repin });
        return { name, servers: saved.names() };
      }),
    import: ({ raw, overwrite = false }) =>
      one(async () => {
        const { servers, skipped, inputs, warnings } = planImport(raw, overwrite, saved);
        if (servers.length > 0) await saved.put(servers, true);
        return { added: servers.map(({ name }) => name), servers: saved.names(), skipped, inputs, warnings };
      }),
    edit: (name, { inputs, secrets, repin, ...change }) =>
      one(async () => {
        refuseMasked(change);
        const whole = refuseMisplaced(change, { ...withChange(entryOf(name), change), name });
        await put(whole, { inputs, secrets, turnOn: false, repin });
        return pageOfServer(name);
      }),
    remove: (name) =>
      one(async () => {
        entryOf(name);
        await saved.remove(name);
        await operations.forgetSignIn(name);
        await operations.forget(name);
        return saved.names();
      }),
    async test(body, signal) {
      const { entry, inputs, secrets } = declaredBy(body);
      // The name of a server brings its stored values, which go to its own address only.
      const own = body.name !== undefined && !movesElsewhere(saved.entry(body.name), entry) ? body.name : undefined;
      const name = own ?? toServerName("unsaved", (one) => saved.names().includes(one));
      const filled = filledServer({ ...entry, name }, saved.section, { ...inputs, ...secrets });
      return testOf(await refusing(() => operations.test(filled, signal)));
    },
    async restart(name) {
      await refusing(() => operations.restart(name));
      return rowOfServer(name);
    },
    async decide(name, { approve, reject }) {
      await refusing(() => operations.decide(name, { ...(approve && { approve }), ...(reject && { reject }) }));
      return pageOfServer(name);
    },
    ...callReplays({ ...parts.replays, operations }),
    async calls(name, page) {
      const rows = await refusing(() => operations.calls.page(name, page));
      return rows.map(callOf);
    },
    ...signInService({ operations, publicUrl: parts.publicUrl, audit: parts.audit, rowOfServer, refusing }),
    catalog() {
      const names = saved.names();
      return CATALOG.map((entry) => ({
        ...entry,
        template: { ...entry.template },
        inputs: entry.inputs.map((input) => ({ ...input })),
        installed: names.includes(entry.id),
      }));
    },
    exposed: () => exposedReport(parts.exposed()),
  };
}

/** @throws Problem 404, 422 */
function declaredBy({ catalog, inputs = {}, secrets = {}, name: _, repin: _repin, ...entry }: McpServerBody): Declared {
  refuseMisplaced(entry, entry);
  if (catalog === undefined) return { entry, inputs, secrets };
  const known = catalogEntry(catalog);
  if (known === undefined) throw new Problem(404, "The catalogue has no such server; GET /api/mcp/catalog lists them.");
  if (entry.command !== undefined || entry.url !== undefined)
    throw refusedBody("a server of the catalogue has its own `command` or `url`; take yours out", "catalog");
  const given = { ...inputs, ...secrets };
  const missing = known.inputs.filter(({ key, required }) => required && (given[key] ?? "").trim() === "");
  if (missing.length > 0)
    throw refusedBody(`\`inputs\` lacks ${missing.map(({ key }) => key).join(", ")}; give what they ask for`, "inputs");
  const isSecret = (key: string): boolean => known.inputs.some((input) => input.key === key && input.secret);
  const split = (wanted: boolean): Values =>
    Object.fromEntries(Object.entries(given).filter(([key]) => isSecret(key) === wanted));
  return { entry: { ...known.template, ...entry }, inputs: split(false), secrets: split(true) };
}

/** What was shown without its secrets must not take their place. @throws Problem 422 */
function refuseMasked({ args, env, headers, url, cwd }: RawServer): void {
  const masked = Object.entries({ args, env, headers, url, cwd }).find(([, value]) =>
    JSON.stringify(value ?? null).includes(REDACTED),
  );
  if (masked !== undefined)
    throw refusedBody(`${REDACTED} stands for a secret that is not shown; write the value itself`, masked[0]);
}

/** What the engine refuses, with the status of each reason. */
async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const { code, message } = error;
    if (code === "mcp.unknown_server") throw unknownServer();
    if (code === "mcp.contradiction") throw refusedBody(message);
    throw new Problem(code === "mcp.unknown_definition" ? 404 : 409, sentenceOf(message), { cause: error });
  }
}
