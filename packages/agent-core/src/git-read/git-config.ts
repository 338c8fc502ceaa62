/**
 * The last value of a key in the text of a git settings file; `section` as in `remote "origin"`. Includes are not
 * followed. For a value that is shown or compared: never for one that is obeyed.
 */
export function configValue(text: string, section: string, key: string): string | undefined {
  let current = "";
  let found: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(line);
    if (header !== null) {
      const [, name = "", sub] = header;
      current = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()} "${sub}"`;
    }
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(header?.[3] ?? line);
    if (current === section && entry?.[1]?.toLowerCase() === key) found = plainValue(entry[2] ?? "");
  }
  return found;
}

/** Without quotes, escapes and a comment after it. */
function plainValue(written: string): string {
  let value = "";
  let quoted = false;
  for (let at = 0; at < written.length; at++) {
    const char = written[at]!;
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "#" || char === ";")) break;
    else if (char === "\\") value += written[++at] ?? "";
    else value += char;
  }
  return value.trim();
}
