import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isSecretName } from "@agent-service/agent-core/host";
import { ENVIRONMENT_VARIABLES } from "./environment-table.ts";

/** Shorter values are switches and placeholders; taking them out of texts would only garble those. */
const MIN_CHARS = 6;

/** Names of secrets that no pattern recognises. */
const SECRET_VARIABLES: ReadonlySet<string> = new Set(
  ENVIRONMENT_VARIABLES.flatMap(({ name, secret }) => (secret === true ? [name] : [])),
);

/**
 * The secrets among a process's variables, this service's own and others that happen to be there, so that a tool that
 * shows its environment shows none of them (S5): values under a secret's name, and passwords inside
 * addresses. Names of files are not secret.
 */
export function secretsOf(env: { readonly [name: string]: string | undefined }): string[] {
  const found = Object.entries(env).flatMap(([name, value = ""]) => {
    const text = value.trim();
    const passwords = passwordsOf(text);
    if (passwords.length > 0 || !(isSecretName(name) || SECRET_VARIABLES.has(name)) || isPlace(text)) return passwords;
    return [text];
  });
  return [...new Set(found)].filter((text) => text.length >= MIN_CHARS);
}

/** The password of an address such as `postgres://user:password@host`, as written and as meant. */
function passwordsOf(text: string): string[] {
  const url = text.includes("://") ? URL.parse(text) : null;
  const password = url?.password ?? "";
  if (password === "") return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function isPlace(text: string): boolean {
  return /^https?:\/\//.test(text) || (isAbsolute(text) && existsSync(text));
}
