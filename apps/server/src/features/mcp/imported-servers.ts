/** The servers of another program's text as entries to save (M16). */
import { MAX_SERVERS, toServerName } from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";
import { unpinnedWarning } from "../../package-pins/index.ts";
import { movesElsewhere, refusedBody, type StoredServer, storedServer, withTarget } from "./declared-server.ts";
import { ImportError, type ImportedInput, readImport } from "./import/index.ts";
import type { SavedServers } from "./saved-servers.ts";

export interface ImportPlan {
  readonly servers: readonly StoredServer[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly inputs: readonly (ImportedInput & { readonly server: string })[];
  readonly warnings: readonly { readonly name: string; readonly text: string }[];
}

/** What an import would save. @throws Problem 422 where nothing of the text can be read */
export function planImport(raw: string, overwrite: boolean, saved: SavedServers): ImportPlan {
  const read = readText(raw);
  const known = saved.names();
  const taken = new Set<string>();
  const servers: StoredServer[] = [];
  const skipped = [...read.skipped];
  const inputs: (ImportedInput & { server: string })[] = [];
  const warnings: { name: string; text: string }[] = [];
  for (const { name: given, declaration, inputs: asked, warnings: remarks } of read.servers) {
    const name = toServerName(given, (one) => taken.has(one));
    const isThere = known.includes(name);
    if (isThere && !overwrite) {
      skipped.push({ name: given, reason: "There is a server of this name; import it with overwrite to replace it." });
      continue;
    }
    if (!isThere && known.length + servers.filter((one) => !known.includes(one.name)).length >= MAX_SERVERS) {
      skipped.push({ name: given, reason: `There are at most ${MAX_SERVERS} servers; remove one first.` });
      continue;
    }
    try {
      const entry = { ...withTarget(saved.entry(name), { ...declaration }), name };
      const stored = movesElsewhere(saved.entry(name), entry) ? {} : saved.secrets(name);
      servers.push(storedServer(entry, saved.section, { stored }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      skipped.push({ name: given, reason: reasonOf(error) });
      continue;
    }
    taken.add(name);
    inputs.push(...asked.map((input) => ({ server: name, ...input })));
    const unpinned = declaration.command && unpinnedWarning(declaration.command, declaration.args ?? []);
    const texts = [...remarks, ...(unpinned ? [unpinned] : [])];
    warnings.push(...texts.map((text) => ({ name, text })));
  }
  return { servers, skipped, inputs, warnings };
}

function readText(raw: string) {
  try {
    return readImport(raw);
  } catch (error) {
    throw error instanceof ImportError ? refusedBody(error.message, "raw") : error;
  }
}

function reasonOf({ detail }: Problem): string {
  if (typeof detail === "string") return detail;
  return (Array.isArray(detail) ? (detail[0] as { readonly msg: string } | undefined)?.msg : undefined) ?? "";
}
