/**
 * Secrets that give themselves away by their shape or by the name before them, in texts of any origin. Every pattern
 * either consumes what it scans or is bounded, so a text costs time in proportion to its length.
 */

/** Keys with a well-known beginning, and JSON web tokens. */
const SHAPES = new RegExp(
  [
    "(?<![A-Za-z0-9])(?:",
    [
      "sk-[A-Za-z0-9_-]{16,}",
      "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
      "gh[pousr]_[A-Za-z0-9]{20,}",
      "github_pat_[A-Za-z0-9_]{20,}",
      "glpat-[A-Za-z0-9_-]{16,}",
      "(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
      "xox[abeprs]-[A-Za-z0-9-]{10,}",
      "AIza[A-Za-z0-9_-]{30,}",
      "hf_[A-Za-z0-9]{20,}",
      "npm_[A-Za-z0-9]{30,}",
    ].join("|"),
    ")",
    // The look-behind holds the run's own characters, so a long run without a dot is scanned once.
    "|(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{4,}(?:\\.[A-Za-z0-9_-]*){0,3}",
  ].join(""),
  "g",
);

const NAMES =
  "(?:api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|client[_-]?secret|secret|password|passwd|pwd|passphrase|token)";

/** `<key>` alone: a placeholder in a command's help. */
const PLACEHOLDER = "<[A-Za-z][A-Za-z _-]{0,30}>(?![^\\s\"'&,;)}\\]])";
/** `api_key=…`, `MODEL_API_KEY = "…"`, `?token=…`. */
const ASSIGNED = new RegExp(`(${NAMES}\\s{0,2}=\\s{0,2})(?!${PLACEHOLDER})("[^"]*"|'[^']*'|[^\\s"'&,;)}\\]]+)`, "gi");
/** `"password": "…"`, with JSON's escapes. */
const JSON_MEMBER = new RegExp(`(${NAMES}"\\s{0,4}:\\s{0,4}")(?!")([^"\\\\]*(?:\\\\.[^"\\\\]*)*)`, "gi");
/** The same inside a JSON text that is itself a JSON string, and with single quotes. */
const QUOTED_MEMBER = new RegExp(`(${NAMES}\\\\{0,3}["']\\s{0,4}:\\s{0,4}\\\\{0,3}["'])([^"'\\\\]+)`, "gi");
/** `password: hunter22`: the value must look like one (8 characters or more and a digit), so that prose stays. */
const AFTER_COLON = new RegExp(`(${NAMES}:\\s{0,2})(?=[A-Za-z_.~+/=-]{0,64}[0-9])([A-Za-z0-9._~+/=-]{8,})`, "gi");
/** An authorization header: a scheme, if any, stays; a placeholder such as `<token>` is none. */
const AUTHORIZATION =
  /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?(?:[a-z][a-z0-9-]{0,20}\s{1,3})?)((?!(?:bearer|basic)(?![A-Za-z0-9]))[^\s"'\\,;<]+)/gi;
/** Cookies hold several values: all of the line, or of the quoted text, goes. */
const HEADERS =
  /((?:set-cookie|(?<![A-Za-z])cookie|x-api-key|x-a2a-notification-token)\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?)([^\s"'\\<][^"'\\\r\n]*)/gi;
const BEARER = /(?<![A-Za-z])(bearer\s{1,4})([A-Za-z0-9._~+/=-]{6,})/gi;
const BASIC = /(?<![A-Za-z])(basic\s{1,4})(?=[a-z+/]{0,64}[A-Z0-9=])([A-Za-z0-9+/]{8,}={0,2})/g;
const URL_PASSWORD = /(:\/\/[^\s/:@?#]{0,128}:)([^\s/@?#]{1,256})(?=@)/g;

/** Every text that any of the patterns above can match contains one of these; no pattern has `tokens`, which are counted. */
const WORTH_A_LOOK =
  /sk-|[sr]k_|gh[pousr]_|github_pat_|glpat-|AKIA|ASIA|xox|AIza|hf_|npm_|eyJ|:\/\/|key|secret|pass|pwd|token(?!s)|authorization|cookie|bearer|basic/i;

function maskPrivateKeys(text: string, mask: string): string {
  let from = text.indexOf("-----BEGIN ");
  if (from === -1) return text;
  let masked = "";
  let done = 0;
  while (from !== -1) {
    if (text.slice(from, from + 64).includes("PRIVATE KEY")) {
      const end = text.indexOf("-----END ", from);
      // A key without an end was cut off: everything after its beginning may be key.
      const close = end === -1 ? -1 : text.indexOf("-----", end + 9);
      masked += text.slice(done, from) + mask;
      done = close === -1 ? text.length : close + 5;
    }
    from = text.indexOf("-----BEGIN ", Math.max(done, from + 1));
  }
  return masked + text.slice(done);
}

/** `text` with every recognised key, token and password replaced by `mask`; what named it stays. */
export function maskKeyShapes(text: string, mask: string): string {
  const kept = (_: string, named: string): string => named + mask;
  let masked = maskPrivateKeys(text, mask);
  if (!WORTH_A_LOOK.test(masked)) return masked;
  masked = masked.replace(SHAPES, mask);
  for (const pattern of [
    AUTHORIZATION,
    HEADERS,
    BEARER,
    BASIC,
    JSON_MEMBER,
    QUOTED_MEMBER,
    ASSIGNED,
    AFTER_COLON,
    URL_PASSWORD,
  ]) {
    masked = masked.replace(pattern, kept);
  }
  return masked;
}
