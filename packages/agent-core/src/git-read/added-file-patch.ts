/** The patch of a file that is new: all its lines are added. In git's form. */
export function addedFilePatch(path: string, content: string, mode: "100644" | "100755" | "120000"): string {
  const header = `diff --git ${quotedName(`a/${path}`)} ${quotedName(`b/${path}`)}\nnew file mode ${mode}\n`;
  if (content === "") return header;
  const endsInLineBreak = content.endsWith("\n");
  const lines = (endsInLineBreak ? content.slice(0, -1) : content).split("\n");
  const range = lines.length === 1 ? "+1" : `+1,${lines.length}`;
  const body = lines.map((line) => `+${line}\n`).join("");
  const end = endsInLineBreak ? "" : "\\ No newline at end of file\n";
  return `${header}--- /dev/null\n+++ ${quotedName(`b/${path}`)}\n@@ -0,0 ${range} @@\n${body}${end}`;
}

/** How many lines a text adds. */
export function lineCount(content: string): number {
  if (content === "") return 0;
  return content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}

const ESCAPES: { readonly [char: string]: string } = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** A name as git writes it into a patch: quoted where a character would break the line or the quotes. */
function quotedName(name: string): string {
  const special = /[\p{Cc}"\\]/gu;
  if (name.search(special) === -1) return name;
  const octal = (char: string): string =>
    [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return `"${name.replaceAll(special, (char) => ESCAPES[char] ?? octal(char))}"`;
}
