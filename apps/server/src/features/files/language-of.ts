import { basename, extname } from "node:path";

const BY_EXTENSION: { readonly [extension: string]: string } = {
  ".bash": "bash",
  ".c": "c",
  ".cc": "cpp",
  ".cjs": "javascript",
  ".conf": "ini",
  ".cpp": "cpp",
  ".cs": "csharp",
  ".css": "css",
  ".diff": "diff",
  ".go": "go",
  ".h": "c",
  ".hpp": "cpp",
  ".htm": "html",
  ".html": "html",
  ".ini": "ini",
  ".java": "java",
  ".js": "javascript",
  ".json": "json",
  ".jsx": "jsx",
  ".kt": "kotlin",
  ".lua": "lua",
  ".md": "markdown",
  ".mjs": "javascript",
  ".patch": "diff",
  ".php": "php",
  ".pl": "perl",
  ".py": "python",
  ".r": "r",
  ".rb": "ruby",
  ".rs": "rust",
  ".scala": "scala",
  ".sh": "bash",
  ".sql": "sql",
  ".svg": "xml",
  ".swift": "swift",
  ".toml": "toml",
  ".ts": "typescript",
  ".tsx": "tsx",
  ".xml": "xml",
  ".yaml": "yaml",
  ".yml": "yaml",
};

const BY_NAME: { readonly [name: string]: string } = { dockerfile: "dockerfile", makefile: "makefile" };

/** The language of a file by its name, for highlighting; null for one that is not known. */
export function languageOf(path: string): string | null {
  return BY_NAME[basename(path).toLowerCase()] ?? BY_EXTENSION[extname(path).toLowerCase()] ?? null;
}
