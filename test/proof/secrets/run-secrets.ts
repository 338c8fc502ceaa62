/** Plants secrets, uses the service in every way, and looks for them in everything it wrote and answered. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { webhookReceiver } from "../../../apps/server/src/testing/index.ts";
import { localInfisical } from "../../../packages/config/src/testing/index.ts";
import { createRandom } from "../random.ts";
import { projectSettings, SHOWING, writeProject } from "./hands-traffic.ts";
import { PRINTED } from "./leaking-tools.ts";
import { MCP_SHOWING } from "./mcp-traffic.ts";
import { type Plan, plant } from "./planted.ts";
import { secretFinder } from "./secret-finder.ts";
import { startSecretsProcess } from "./start-service.ts";
import { talkingGateway } from "./talking-gateway.ts";
import { traceCollector } from "./trace-collector.ts";
import { allTraffic } from "./traffic.ts";

/** What to try. */
export interface SecretsOptions {
  readonly seed: string;
  /** How many secrets, about. */
  readonly secrets: number;
  readonly logFormat: "text" | "json";
}

/** Where something was looked for. */
export type Sink = "answer" | "webhook" | "trace" | "terminal" | "file" | "row";

/** What was found. */
export interface SecretsReport {
  readonly planted: number;
  /** Looked through, by sink. */
  readonly bytes: { readonly [sink in Sink]: number };
  readonly answers: number;
  readonly rows: number;
  /** Tasks in the store. */
  readonly tasks: number;
  /** Secrets that were taken out of answers. */
  readonly masked: number;
  /** Sinks in which the caller's own words were found: a finder that finds nothing proves nothing. */
  readonly canary: readonly Sink[];
  /** What of `SHOWING` showed nothing out of which a secret was taken. */
  readonly blind: readonly string[];
  /** Whether the log holds what a tool printed. */
  readonly printed: boolean;
  readonly violations: readonly string[];
}

/** The files the secrets were planted in. */
const PLANTED_FILES = new Set(["agent-config.yaml", "secrets.yaml"]);
const CANARY = "CanaryThatTheCallerSaid4711";

interface Haystack {
  readonly sink: Sink;
  readonly what: string;
  readonly bytes: Buffer;
}

/** Runs a trial. */
export async function runSecrets({ seed, secrets, logFormat }: SecretsOptions): Promise<SecretsReport> {
  const random = createRandom(seed);
  const root = mkdtempSync(path.join(tmpdir(), "proof-secrets-"));
  // Drawn before the doubles have their addresses, and again with them: the secrets are the same.
  const drawn = plant(random, secrets, { gateway: "", infisical: "" });
  const shaped = (kind: string): string[] => drawn.all.filter((one) => one.kind === kind).map(({ value }) => value);
  const gateway = await talkingGateway({ known: drawn.known, shaped: shaped("refused") });
  const infisical = await localInfisical({
    ...drawn.identity,
    projectId: "project",
    secrets: [...drawn.managed].map(([name, value]) => ({ name, value })),
  });
  const hook = await webhookReceiver();
  const collector = await traceCollector();
  const plan = plant(random, secrets, { gateway: gateway.baseUrl, infisical: infisical.host });
  const leaks = path.join(root, "leaks.json");
  writeFileSync(leaks, JSON.stringify({ known: plan.known, shaped: shaped("thrown") }));
  const folders = writeFolders(root, plan);
  const project = writeProject(folders.project, plan.known);
  try {
    const service = await startSecretsProcess({
      ...plan.variables,
      ...{ SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config, PROOF_LEAKS: leaks },
      ...{
        LOG_LEVEL: "DEBUG",
        LOG_FORMAT: logFormat,
        TRACING_HOST: collector.url,
        PUSH_NOTIFICATION_ALLOWED_HOSTS: "127.0.0.1",
      },
    });
    const answers = await allTraffic({ url: service.url, plan, hook: hook.url, canary: CANARY, project });
    const terminal = await service.stop();
    const haystacks: Haystack[] = [
      ...answers.map(({ asked, heard }) => haystack("answer", asked, heard)),
      ...hook.posts.map((post) => haystack("webhook", "a post", JSON.stringify([post.headers, post.body]))),
      ...collector.bodies.map((bytes): Haystack => ({ sink: "trace", what: "an export", bytes })),
      haystack("terminal", "the log", terminal),
      ...filesBelow(root, [leaks, folders.project]),
    ];
    return judge(plan, haystacks, { answers: answers.length, terminal });
  } finally {
    gateway.close();
    await infisical.close();
    await collector.close();
    await hook[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  }
}

interface Folders {
  readonly home: string;
  readonly config: string;
  readonly project: string;
}

function writeFolders(root: string, plan: Plan): Folders {
  const [home, config, project] = ["home", "config", "project"].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home);
  mkdirSync(config);
  // Every JSON text is YAML.
  writeFileSync(
    path.join(config, "agent-config.yaml"),
    JSON.stringify({ ...plan.config, ...projectSettings(project) }, null, 1),
  );
  writeFileSync(path.join(config, "secrets.yaml"), JSON.stringify(plan.overlay, null, 1), { mode: 0o600 });
  return { home, config, project };
}

function haystack(sink: Sink, what: string, text: string): Haystack {
  return { sink, what, bytes: Buffer.from(text) };
}

/** Every file that was written, and of databases every row too: a long value lies in pieces in the file. */
function filesBelow(root: string, planted: readonly string[]): Haystack[] {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    if (planted.some((one) => file === one || file.startsWith(`${one}/`)) || PLANTED_FILES.has(entry.name)) return [];
    const bytes = readFileSync(file);
    const rows = bytes.subarray(0, 15).toString() === "SQLite format 3" ? rowsOf(file) : [];
    return [{ sink: "file", what: entry.name, bytes } satisfies Haystack, ...rows];
  });
}

function rowsOf(file: string): Haystack[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
    return tables.flatMap(({ name }) => {
      const all = db.prepare(`SELECT * FROM "${name}"`);
      // The rows of a text index have numbers beyond those of a double.
      all.setReadBigInts(true);
      return all.all().map((row): Haystack => {
        const values = Object.values(row).map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
        const parts = values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${String(value)}\n`)));
        return { sink: "row", what: `${path.basename(file)} ${name}`, bytes: Buffer.concat(parts) };
      });
    });
  } finally {
    db.close();
  }
}

function judge(
  plan: Plan,
  haystacks: readonly Haystack[],
  { answers, terminal }: { readonly answers: number; readonly terminal: string },
): SecretsReport {
  const finder = secretFinder([...plan.all.map(({ value }) => value), CANARY]);
  const violations = new Map<string, number>();
  const canary = new Set<Sink>();
  const bytes = { answer: 0, webhook: 0, trace: 0, terminal: 0, file: 0, row: 0 };
  let masked = 0;
  const maskedIn = new Set<string>();
  for (const { sink, what, bytes: held } of haystacks) {
    bytes[sink] += held.length;
    const places = sink === "answer" ? held.toString().split("***").length - 1 : 0;
    masked += places;
    if (places > 0) maskedIn.add(what);
    for (const index of finder.find(held)) {
      const planted = plan.all[index];
      if (planted === undefined) canary.add(sink);
      else {
        const place = `${planted.place.replace(/ .*/, "")} secret in ${sink}: ${what}`;
        violations.set(place, (violations.get(place) ?? 0) + 1);
      }
    }
  }
  return {
    planted: plan.all.length,
    bytes,
    answers,
    rows: haystacks.filter(({ sink }) => sink === "row").length,
    tasks: haystacks.filter(({ sink, what }) => sink === "row" && what.endsWith(" task")).length,
    masked,
    canary: [...canary].sort(),
    blind: [...SHOWING, ...MCP_SHOWING].filter((what) => !maskedIn.has(what)),
    printed: terminal.includes(PRINTED),
    violations: [...violations].map(([place, count]) => `${place} (${count})`).sort(),
  };
}
