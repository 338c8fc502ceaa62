import type { McpServerDeclaration } from "../import/index.ts";

/** What a person gives for a server of the catalogue. */
export interface CatalogInput {
  /** The placeholder of the template that it fills. */
  readonly key: string;
  readonly label: string;
  /** What a value looks like. */
  readonly placeholder: string;
  readonly secret: boolean;
  readonly required: boolean;
}

export type CatalogCategory =
  | "Files"
  | "Web"
  | "Browser"
  | "Code"
  | "Data"
  | "Work"
  | "Knowledge"
  | "Operations"
  | "Testing";

/** A server of the catalogue. */
export interface CatalogEntry {
  /** Also the name that it is added under. */
  readonly id: string;
  readonly name: string;
  readonly category: CatalogCategory;
  /** What it is for, in a few words. */
  readonly tagline: string;
  /** What its tools may do, in one sentence. */
  readonly may: string;
  readonly docs: string;
  /** What must be there before it works; blank: nothing. */
  readonly requires: string;
  /** Made by the vendor of what it connects to, or by the makers of MCP. */
  readonly official: boolean;
  readonly template: McpServerDeclaration;
  readonly inputs: readonly CatalogInput[];
}

/** A package that a template starts, as its registry names it. */
export interface CatalogPin {
  readonly id: string;
  readonly registry: "npm" | "PyPI";
  readonly name: string;
  readonly version: string;
}

/** What must be there for `npx`. */
export const NODE = "Node.js with npx";
/** What must be there for `uvx`. */
export const PYTHON = "uv with uvx";

/** A server that npm's registry has. */
export function npm(name: string, version: string, args: readonly string[] = [], env = {}): McpServerDeclaration {
  return program("npx", ["-y", `${name}@${version}`, ...args], env);
}

/** A server that PyPI has. */
export function pypi(name: string, version: string, args: readonly string[] = [], env = {}): McpServerDeclaration {
  return program("uvx", [`${name}@${version}`, ...args], env);
}

function program(command: string, args: readonly string[], env: { readonly [name: string]: string }) {
  return { transport: "stdio" as const, command, args, ...(Object.keys(env).length > 0 && { env }) };
}

/** A server at its vendor's address. */
export function hosted(url: string, headers: { readonly [name: string]: string } = {}): McpServerDeclaration {
  return { transport: "streamable_http", url, ...(Object.keys(headers).length > 0 && { headers }) };
}

export function secret(key: string, label: string, placeholder = ""): CatalogInput {
  return { key, label, placeholder, secret: true, required: true };
}

export function input(key: string, label: string, placeholder: string): CatalogInput {
  return { key, label, placeholder, secret: false, required: true };
}

/** An input with a default in the template. */
export function optional(key: string, label: string, placeholder: string): CatalogInput {
  return { key, label, placeholder, secret: false, required: false };
}

/** The package that a template starts; undefined: it is hosted. */
export function pinOf({ id, template: { command, args = [] } }: CatalogEntry): CatalogPin | undefined {
  const registry = command === "npx" ? "npm" : command === "uvx" ? "PyPI" : undefined;
  const [, name, version] = /^(@?[^@]+)@(.+)$/.exec(args.find((arg) => arg !== "-y") ?? "") ?? [];
  return registry === undefined || name === undefined || version === undefined
    ? undefined
    : { id, registry, name, version };
}
