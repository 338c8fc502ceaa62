/** Names that deny what they name (F4, FE6, FE7). */
import { expect, test } from "vitest";
import { foldedName, isGitName, isGitSecret, isSecretLike } from "./index.ts";

test.each([
  ...[".env", ".env.local", "a.pem", "tls.key", "x.p12", "x.pfx", "x.jks", "x.keystore", "x.kdbx", "id_rsa"],
  ...["id_rsa_old", "id_dsa", "id_ecdsa", "id_ed25519", ".netrc", ".npmrc", ".pypirc", ".git-credentials"],
  ...[".htpasswd", ".pgpass", "secrets.yaml", "secrets.yml", "credentials.json", "credentials-prod.json"],
  ...[
    "service-account.json",
    "service-account-1.json",
    ".ssh/known_hosts",
    "a/.aws/b",
    ".azure",
    ".gnupg",
    ".kube/config",
  ],
  ...[".docker/config.json", ".password-store", "gcloud/x", ".ENV", "Secrets.YAML", ".env.", ".env ", ".e\u00adnv"],
  ...["\u200b.env", ".\u017fsh/x", "a.\u212aey"],
])("%j is denied", (path) => {
  expect(isSecretLike(path)).toBe(true);
});

test.each([
  ...[".env.example", ".env.sample", ".env.template", "id_rsa.pub", "id_ed25519.pub", "environment", "env", "key"],
  ...["keys.ts", "secrets.ts", "credentials.ts", "account.json", "ssh/x", "docker", "kube", "a.pem.txt"],
])("%j is not", (path) => {
  expect(isSecretLike(path)).toBe(false);
});

test("a name of git's is known however a file system may fold it, and its settings by their place", () => {
  for (const name of [".git", ".GIT", ".git.", ".git ", ".g\u200cit", ".g\u0131t".replace("\u0131", "i")])
    expect([name, isGitName(name)]).toEqual([name, true]);
  expect([".gitignore", "git", ".github"].filter(isGitName)).toEqual([]);
  expect(isGitSecret([".git", "modules", "x", "config"])).toBe(true);
  expect(isGitSecret(["config", ".git", "HEAD"])).toBe(false);
  expect(foldedName("E\u0301TE\u0301. ")).toBe("\u00e9t\u00e9");
});
