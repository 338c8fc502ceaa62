/** Names of files and folders that usually hold secrets (F4). */
import { foldedName } from "./folded-name.ts";

const ENDINGS = /\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/u;
const SSH_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/u;
const FILES: ReadonlySet<string> = new Set([
  ...[".netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass"],
  ...["secrets.yaml", "secrets.yml"],
]);
const ACCOUNTS = /^(?:credentials|service-account).*\.json$/u;
const FOLDERS: ReadonlySet<string> = new Set([
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".password-store",
  "gcloud",
]);
const ENVIRONMENT = /^\.env(?:$|\.(?!(?:example|sample|template)$))/u;

/** Whether one name denies what it names and all below it. */
export function isSecretLikeName(name: string): boolean {
  const folded = foldedName(name);
  return (
    FILES.has(folded) ||
    FOLDERS.has(folded) ||
    ENDINGS.test(folded) ||
    SSH_KEY.test(folded) ||
    ACCOUNTS.test(folded) ||
    ENVIRONMENT.test(folded)
  );
}

/** Whether any component of a path denies it. */
export function isSecretLike(path: string): boolean {
  return path.split("/").some(isSecretLikeName);
}

/** Whether a name is that of git's own folder or file (FE7). */
export function isGitName(name: string): boolean {
  return foldedName(name) === ".git";
}

const GIT_SECRETS = /^(?:config(?:\.worktree|\.lock)?|credentials?|\.?git-credentials)$/u;

/** Whether a path leads to settings or credentials of git (FE7). */
export function isGitSecret(components: readonly string[]): boolean {
  const at = components.findIndex(isGitName);
  return at !== -1 && components.slice(at + 1).some((name) => GIT_SECRETS.test(foldedName(name)));
}
