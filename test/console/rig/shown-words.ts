import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";

/** A text in a source file that people may read. */
export interface SourceText {
  readonly text: string;
  readonly line: number;
}

interface SourceNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Attributes and calls whose strings are for the page, not for people. */
const SILENT_ATTRIBUTES = new Set(["className", "class", "d", "id", "key", "type", "to", "href", "viewBox", "role"]);
const SILENT_CALLS =
  /^(classNames|includes|startsWith|endsWith|getItem|querySelector|querySelectorAll|matchMedia|test)$/;

/** The texts of a module: between tags, in strings and in templates; without imports, types, class names and comparisons. */
export function shownWords(file: string): readonly SourceText[] {
  const source = readFileSync(file, "utf8");
  const { program } = parseSync(file, source);
  const texts: SourceText[] = [];
  const add = (text: unknown, { start }: SourceNode): void => {
    if (typeof text !== "string") return;
    const plain = text.replaceAll(/\s+/g, " ").trim();
    if (/[a-z]{2}/i.test(plain)) texts.push({ text: plain, line: source.slice(0, start).split("\n").length });
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one);
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const at = node as SourceNode;
    if (isSilent(at)) return;
    if (at.type === "JSXText" || at.type === "Literal") add(at.value, at);
    if (at.type === "TemplateElement") add((at.value as { readonly cooked?: string }).cooked, at);
    for (const [key, value] of Object.entries(at)) {
      if (at.type !== "Property" || key !== "key") walk(value);
    }
  };
  walk(program);
  return texts;
}

function isSilent(node: SourceNode): boolean {
  if (/^(Import|ExportAll|TS(Type|Interface|Literal|Union))/.test(node.type)) return true;
  if (node.type === "BinaryExpression") return /^[!=]==$/.test(String(node.operator));
  // The API's word, which the page translates.
  if (node.type === "Property" && nameOf(node.key) === "category") return true;
  if (node.type === "JSXAttribute") return SILENT_ATTRIBUTES.has(nameOf(node.name) ?? "");
  if (node.type !== "CallExpression") return false;
  const callee = node.callee as SourceNode;
  return SILENT_CALLS.test(nameOf(callee.type === "MemberExpression" ? callee.property : callee) ?? "");
}

function nameOf(node: unknown): string | undefined {
  return (node as { readonly name?: string } | undefined)?.name;
}
