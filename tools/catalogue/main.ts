/**
 * Looks up every package of the catalogue of MCP servers at its registry: `pnpm catalogue:check`. A pin that is not there
 * fails it; newer versions are only named, because a person reads what changed before a pin moves.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CATALOG, type CatalogPin, pinOf } from "../../apps/server/src/features/mcp/catalog/index.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

interface Found {
  readonly pinned: boolean;
  readonly newest: string;
}

/** Through npm itself, which knows the registry that is configured. */
async function lookUpNpm({ name, version }: CatalogPin): Promise<Found> {
  const { stdout } = await run("npm", ["view", name, "version", "versions", "--json"], {
    timeout: TIMEOUT_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
  const { version: newest, versions } = JSON.parse(stdout) as { version: string; versions: string | string[] };
  return { pinned: [versions].flat().includes(version), newest };
}

async function lookUpPypi({ name, version }: CatalogPin): Promise<Found> {
  const answer = await fetch(`https://pypi.org/pypi/${name}/json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`PyPI answered ${answer.status}`);
  const { info, releases } = (await answer.json()) as {
    info: { version: string };
    releases: { readonly [version: string]: readonly { readonly yanked: boolean }[] };
  };
  const files = releases[version] ?? [];
  return { pinned: files.some(({ yanked }) => !yanked), newest: info.version };
}

const pins = CATALOG.flatMap((entry) => pinOf(entry) ?? []);
let missing = 0;
for (const pin of pins) {
  const label = `${pin.id.padEnd(22)} ${pin.registry.padEnd(5)} ${pin.name}@${pin.version}`;
  try {
    const { pinned, newest } = await (pin.registry === "npm" ? lookUpNpm(pin) : lookUpPypi(pin));
    if (!pinned) missing++;
    const rest = newest === pin.version ? "" : `, the newest is ${newest}`;
    console.log(`${pinned ? "there  " : "MISSING"} ${label}${rest}`);
  } catch (error) {
    missing++;
    console.log(`FAILED  ${label}: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`);
  }
}
console.log(
  `${pins.length - missing} of ${pins.length} pins are there; ${CATALOG.length - pins.length} servers are hosted`,
);
process.exitCode = missing === 0 ? 0 : 1;
