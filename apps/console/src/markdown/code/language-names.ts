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

const ENDINGS: Readonly<Record<string, string>> = {
  ...{
    bash: "sh",
    c: "c",
    cpp: "cpp",
    csharp: "cs",
    css: "css",
    dart: "dart",
    diff: "diff",
    go: "go",
    graphql: "graphql",
  },
  ...{
    html: "html",
    ini: "ini",
    java: "java",
    javascript: "js",
    json: "json",
    kotlin: "kt",
    lua: "lua",
    markdown: "md",
  },
  ...{ mermaid: "mmd", php: "php", powershell: "ps1", python: "py", r: "r", ruby: "rb", rust: "rs", scala: "scala" },
  ...{ sql: "sql", swift: "swift", toml: "toml", tsx: "tsx", typescript: "ts", xml: "xml", yaml: "yaml" },
};

/** A name for a file with code of a language. */
export function fileNameOf(language: string): string {
  return `code.${ENDINGS[languageNamed(language)] ?? "txt"}`;
}
