import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError } from "./database-error.ts";
import type { Row } from "./database-port.ts";

export interface Migration {
  readonly number: number;
  /** The file's name without its ending, for example `0000_ground`. */
  readonly name: string;
  readonly sql: string;
  /** Of the text, whatever its line ends. */
  readonly checksum: string;
}

const FILE = /^(\d{4})_[a-z0-9_]+\.sql$/;

/** Reads a folder of `NNNN_name.sql` files, in order. @throws DatabaseError `unwritable` */
export function loadMigrations(folder: string): readonly Migration[] {
  const found: Migration[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith(".sql")) continue;
    const match = FILE.exec(file);
    if (match === null) throw new DatabaseError("unwritable", `the migration ${file} is not named NNNN_name.sql`);
    const number = Number(match[1]);
    if (found.at(-1)?.number === number) throw new DatabaseError("unwritable", `two migrations are numbered ${number}`);
    const sql = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
    found.push({ number, name: file.slice(0, -4), sql, checksum: createHash("sha256").update(sql).digest("hex") });
  }
  if (found[0]?.number !== 0) throw new DatabaseError("unwritable", `${folder} has no migration 0000`);
  return found;
}

/**
 * Which migrations are still to be applied. `applied` are rows of (number, checksum) in order.
 * @throws DatabaseError `unwritable` when the store is newer than the code, or its history differs from the files
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly Row[]): readonly Migration[] {
  const newest = known.at(-1)?.number ?? -1;
  applied.forEach(([number, checksum], index) => {
    if (Number(number) > newest) {
      const versions = `its schema is number ${number}, this version knows ${newest}`;
      throw new DatabaseError(
        "unwritable",
        `the store was written by a newer version (${versions}): update, or restore a backup`,
      );
    }
    const expected = known[index];
    if (expected === undefined || expected.number !== Number(number)) {
      throw new DatabaseError("unwritable", `the store's schema history does not fit: number ${number} came too early`);
    }
    if (expected.checksum !== checksum) {
      throw new DatabaseError("unwritable", `the migration ${expected.name} was changed after this store applied it`);
    }
  });
  return known.slice(applied.length);
}

/** The script that applies a migration and records it. */
export function migrationScript(migration: Migration, at: number): string {
  const { number, name, sql, checksum } = migration;
  return `${sql}\n;INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (${number}, '${name}', '${checksum}', ${at});`;
}
