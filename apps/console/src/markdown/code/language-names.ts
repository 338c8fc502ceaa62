const ALIASES: Readonly<Record<string, string>> = {
  ...{ sh: "bash", shell: "bash", zsh: "bash", console: "bash", shellscript: "bash" },
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "tsx", ts: "typescript", mts: "typescript" },
  ...{ py: "python", rs: "rust", yml: "yaml", md: "markdown", dockerfile: "docker", patch: "diff" },
  ...{ rb: "ruby", kt: "kotlin", ps1: "powershell", pwsh: "powershell", makefile: "make", gql: "graphql" },
  ...{
    jsonc: "json",
    json5: "json",
    h: "c",
    "c++": "cpp",
    cc: "cpp",
    hpp: "cpp",
    cs: "csharp",
    svg: "xml",
    htm: "html",
  },
};

/** The grammar's name for what a fence calls its language: `ts` is `typescript`. */
export function languageNamed(name: string): string {
  const lower = name.toLowerCase();
  return ALIASES[lower] ?? lower;
}
