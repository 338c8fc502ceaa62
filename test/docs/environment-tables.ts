import type { EnvironmentVariable } from "../../apps/server/src/settings/index.ts";

/** The page that lists the environment variables. */
export const ENVIRONMENT_PATH = "apps/server/README.md";

/** A variable that nothing reads yet, and the feature that brings it. */
interface ReservedVariable {
  readonly name: string;
  readonly feature: string;
}

/** The page with both tables of variables as they are declared. @throws Error where the markers of one are missing */
export function withEnvironmentTables(
  page: string,
  used: readonly EnvironmentVariable[],
  reserved: readonly ReservedVariable[],
): string {
  const usedRows = used.map(({ name, meaning, setting }) => [
    `\`${name}\``,
    meaning,
    setting === undefined ? "" : `\`${setting}\``,
  ]);
  const reservedRows = reserved.map(({ name, feature }) => [`\`${name}\``, feature]);
  return withTable(
    withTable(page, "Variable | Meaning | Setting it feeds", usedRows),
    "Variable | Comes with",
    reservedRows,
  );
}

/** The page with these rows below a table's head. */
function withTable(page: string, head: string, rows: readonly (readonly string[])[]): string {
  const rule = `|${"---|".repeat(head.split("|").length)}`;
  const [before, after] = page.split(`| ${head} |\n${rule}\n`);
  if (before === undefined || after === undefined) throw new Error(`${ENVIRONMENT_PATH} has no table ${head}`);
  const table = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  return `${before}| ${head} |\n${rule}\n${table}${after.replace(/^(?:\|.*\n)*/, "")}`;
}
