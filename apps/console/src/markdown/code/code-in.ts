/** A node of the tree that markdown becomes, as far as code needs it. */
export interface CodeNode {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: { readonly [name: string]: unknown };
  readonly children?: readonly object[];
}

/** The code of a `pre` and the language its fence names; blank for none. */
export function codeIn(node: CodeNode | undefined): { readonly code: string; readonly language: string } {
  const child = node?.children?.[0] as CodeNode | undefined;
  const names = child?.properties?.className;
  const [named = ""] = (Array.isArray(names) ? names : [])
    .flatMap((name) => /^language-(.+)$/.exec(String(name)) ?? [])
    .slice(1);
  return { code: textIn(child).replace(/\n$/, ""), language: named };
}

/** All text inside of a node. */
export function textIn(node: CodeNode | undefined): string {
  if (node === undefined) return "";
  return node.value ?? (node.children ?? []).map((child) => textIn(child as CodeNode)).join("");
}
