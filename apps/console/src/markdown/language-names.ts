const ALIASES: Readonly<Record<string, string>> = {
  ...{ sh: "bash", shell: "bash", zsh: "bash", console: "bash", shellscript: "bash" },
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "tsx", ts: "typescript", mts: "typescript" },
  ...{ py: "python", rs: "rust", yml: "yaml", md: "markdown", dockerfile: "docker", patch: "diff" },
  ...{ jsonc: "json", json5: "json", h: "c", cpp: "c", "c++": "c", cs: "csharp", svg: "xml", htm: "html" },
};

/** The grammar's name for what a fence calls its language: `ts` is `typescript`. */
export function languageNamed(name: string): string {
  const lower = name.toLowerCase();
  return ALIASES[lower] ?? lower;
}
