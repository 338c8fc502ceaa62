/** Which layer a value came from, later ones win (B50; precedence of secrets: B70). */
export type Provenance =
  | { readonly layer: "default" }
  /** `host`: host-config.yaml. `file`: agent-config.yaml. `secrets`: the overlay. `line` counts from 1. */
  | { readonly layer: "host" | "file" | "secrets"; readonly file: string; readonly line: number }
  | { readonly layer: "env"; readonly variable: string }
  | { readonly layer: "flag"; readonly flag: string };

/** The source of a value for a log line: `<file>:<line>`, a variable's name, a flag, or `default`. */
export function describeProvenance(from: Provenance): string {
  switch (from.layer) {
    case "default":
      return "default";
    case "env":
      return `environment variable ${from.variable}`;
    case "flag":
      return `--${from.flag}`;
    default:
      return `${from.file}:${from.line}`;
  }
}
