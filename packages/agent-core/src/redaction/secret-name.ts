/** Most names hold none of these and are not looked at further. */
const SUSPICIOUS = /auth|cookie|pass|pwd|secret|credential|key|token|jwt|bearer/i;

function snake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
}

const ALWAYS =
  /(?:^|_)(?:authorization|cookies?|password|passwd|pwd|passphrase|secrets?|credentials?|api_?keys?|access_?key|private_?key|secret_?key|signing_?key|encryption_?key|bearer|jwt)(?:_|$)/;
/** `token` means a secret only at the end, so that `token_count` and every `…_tokens` number stay readable. */
const AT_THE_END = /(?:^|_)(?:token|(?:auth|access|refresh|bearer|session)_?tokens?|authtoken)$/;

/**
 * True for a property, header or variable whose value is a secret by its name: `authorization`, `X-Api-Key`,
 * `clientSecret`, `A2A_AUTH_TOKEN`. False for counts: `max_tokens`, `inputTokens`, `token_count`.
 */
export function isSecretName(name: string): boolean {
  if (!SUSPICIOUS.test(name)) return false;
  const snakeName = snake(name.slice(0, 200));
  return ALWAYS.test(snakeName) || AT_THE_END.test(snakeName);
}
