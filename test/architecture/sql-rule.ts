import { type ParsedFile, type SyntaxNode, walk } from "./parsed-file.ts";
import { isTestFile } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/** How a statement of SQL begins. A sentence may begin with "Select" too, so what must follow is part of it. */
const statement = new RegExp(
  [
    "SELECT\\s[\\s\\S]+?\\bFROM\\b",
    "INSERT\\s+(OR\\s+\\w+\\s+)?INTO\\s",
    "UPDATE\\s+\\S+\\s+SET\\s",
    "DELETE\\s+FROM\\s",
    "(CREATE|DROP|ALTER)\\s+(TEMP\\s+|UNIQUE\\s+|VIRTUAL\\s+)*(TABLE|INDEX|TRIGGER|VIEW)\\s",
    "(PRAGMA|ATTACH|VACUUM)\\b",
  ]
    .map((form) => `^\\s*${form}`)
    .join("|"),
);

function textOf(node: SyntaxNode, { text }: ParsedFile): string | undefined {
  if (node.type === "TemplateLiteral") return text.slice(node.start + 1, node.end - 1);
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

/** Rule 5, SQL: a statement of SQL is in agent-core only, which owns the schema. */
export function sqlRule(files: readonly ParsedFile[]): readonly Violation[] {
  return files
    .filter(({ path }) => !path.startsWith("packages/agent-core/"))
    .flatMap((file) => {
      const found: Violation[] = [];
      const isTest = isTestFile(file.path) || file.path.startsWith("test/");
      walk(file.program, (node) => {
        const text = textOf(node, file);
        if (text === undefined || !statement.test(text)) return;
        const message = isTest
          ? "a test holds SQL: read what it proves through a function of the engine"
          : "holds SQL: a query belongs to packages/agent-core, and its owner offers a function";
        found.push({ file: file.path, line: file.lineAt(node.start), message });
      });
      return found;
    });
}
