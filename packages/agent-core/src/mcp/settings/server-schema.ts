/** The shape of an entry of `mcp.servers` (M1). Messages say what to change and repeat nothing that was sent. */
import * as v from "valibot";
import { isFixedForbiddenVariable } from "../placeholder/index.ts";
import { isServerName } from "./server-name.ts";

const MAX_TEXT = 32_768;
const PATTERN = "`include`, `exclude` and `effects` hold names of the server's tools; * matches any characters";

const text = (what: string, most = MAX_TEXT) =>
  v.pipe(
    v.string(`${what} is a text`),
    v.nonEmpty(`${what} is empty; give it, or leave it out`),
    v.maxLength(most, `${what} has at most ${most} characters`),
    v.check((value) => !value.includes("\0"), `${what} holds a NUL character; take it out`),
  );

const flag = (key: string) => v.boolean(`\`${key}\` is true or false`);

const patterns = v.optional(
  v.pipe(
    v.array(v.pipe(v.string(PATTERN), v.nonEmpty(PATTERN), v.maxLength(200, PATTERN)), PATTERN),
    v.maxLength(1_024, "`include` and `exclude` hold at most 1024 names each"),
  ),
  [],
);

const variableName = (key: string) => {
  const message = `the names in \`${key}\` are names of variables: letters, digits and underscores, no digit first`;
  return v.pipe(v.string(message), v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, message));
};

/** Numbers and switches of YAML are meant as texts. */
const envValue = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], "the values in `env` are texts"),
  v.transform(String),
  v.maxLength(MAX_TEXT, `a value in \`env\` has at most ${MAX_TEXT} characters`),
  v.check((value) => !value.includes("\0"), "a value in `env` holds a NUL character; take it out"),
);

const HEADER_NAME = "the names in `headers` are names of HTTP headers";
/** What the connection itself sets. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|content-type|accept|transfer-encoding|te|trailer|upgrade|keep-alive|expect|cookie2?|proxy-.*|mcp-.*|last-event-id)$/i;

const headers = v.pipe(
  v.record(
    v.pipe(
      v.string(HEADER_NAME),
      v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, HEADER_NAME),
      v.check((name) => !OWN_HEADERS.test(name), "`headers` names one that the connection sets itself; take it out"),
    ),
    v.pipe(
      v.union([v.string(), v.number()], "the values in `headers` are texts"),
      v.transform(String),
      v.maxLength(MAX_TEXT, `a value in \`headers\` has at most ${MAX_TEXT} characters`),
      v.regex(/^[^\r\n\0]*$/, "a value in `headers` has more than one line; make it one"),
    ),
    "`headers` is a mapping of names to texts",
  ),
  v.maxEntries(64, "`headers` holds at most 64"),
);

const TIMEOUT = "`call_timeout` is a number of seconds from 0, which means no limit, to 86400";
const CHARS = "`max_result_chars` is a whole number from 0, which means no limit, to 10000000";
const EFFECTS = "`effects` maps names of tools to pure, idempotent or effect";
const OAUTH = "`oauth` is a mapping with client_id, scopes and grant";

/** One entry, its fields in the file's spelling. */
export const serverSchema = v.object(
  {
    name: v.pipe(
      v.string("a server has a `name`: at most 32 of a-z, 0-9, - and single _, a letter or digit first"),
      v.check(
        isServerName,
        "`name` is at most 32 of a-z, 0-9, - and single _, a letter or digit first, and not import, test, catalog, exposed, constructor or prototype",
      ),
    ),
    transport: v.optional(
      v.picklist(
        ["stdio", "streamable_http", "http", "sse"],
        "`transport` is stdio, streamable_http or sse; leave it out to have it follow from `command` or `url`",
      ),
    ),
    enabled: v.optional(flag("enabled"), true),
    command: v.optional(text("`command`", 4_096)),
    args: v.optional(
      v.pipe(
        v.array(
          v.pipe(
            v.union([v.string(), v.number()], "`args` is a list of texts"),
            v.transform(String),
            v.maxLength(MAX_TEXT, `a text in \`args\` has at most ${MAX_TEXT} characters`),
            v.check((value) => !value.includes("\0"), "`args` holds a NUL character; take it out"),
          ),
          "`args` is a list of texts",
        ),
        v.maxLength(256, "`args` holds at most 256 texts"),
      ),
      [],
    ),
    env: v.optional(
      v.pipe(
        v.record(variableName("env"), envValue, "`env` is a mapping of names to texts"),
        v.maxEntries(256, "`env` holds at most 256 variables"),
      ),
      {},
    ),
    cwd: v.optional(
      v.pipe(
        text("`cwd`", 4_096),
        v.regex(/^(?:\/|~(?:\/|$)|\$\{)/, "`cwd` is an absolute path, or one that begins with ~/"),
      ),
    ),
    url: v.optional(text("`url`", 8_192)),
    headers: v.optional(headers, {}),
    tools: v.optional(
      v.object({ include: patterns, exclude: patterns }, "`tools` is a mapping with include and exclude"),
      {},
    ),
    call_timeout: v.optional(v.pipe(v.number(TIMEOUT), v.minValue(0, TIMEOUT), v.maxValue(86_400, TIMEOUT))),
    max_result_chars: v.optional(
      v.pipe(v.number(CHARS), v.safeInteger(CHARS), v.minValue(0, CHARS), v.maxValue(10_000_000, CHARS)),
    ),
    pinning: v.optional(v.picklist(["strict", "new_ok", "off"], "`pinning` is strict, new_ok or off"), "strict"),
    effects: v.optional(
      v.pipe(
        v.record(
          v.pipe(v.string(), v.nonEmpty(PATTERN), v.maxLength(200, PATTERN)),
          v.picklist(["pure", "idempotent", "effect"], EFFECTS),
          EFFECTS,
        ),
        v.maxEntries(1_024, "`effects` holds at most 1024 names"),
      ),
      {},
    ),
    approve: v.optional(
      v.picklist(["never", "marked", "destructive", "always"], "`approve` is never, marked, destructive or always"),
      "marked",
    ),
    federation: v.optional(flag("federation"), false),
    elicitation: v.optional(flag("elicitation"), true),
    sampling: v.optional(flag("sampling"), false),
    roots: v.optional(flag("roots"), false),
    oauth: v.optional(
      v.object(
        {
          client_id: v.optional(text("`oauth.client_id`", 2_000)),
          scopes: v.optional(
            v.pipe(
              v.array(
                v.pipe(v.string(), v.regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, "`oauth.scopes` is a list of scopes")),
                "`oauth.scopes` is a list of scopes",
              ),
              v.maxLength(100, "`oauth.scopes` holds at most 100 scopes"),
            ),
            [],
          ),
          grant: v.optional(
            v.picklist(
              ["authorization_code", "client_credentials"],
              "`oauth.grant` is authorization_code or client_credentials",
            ),
            "authorization_code",
          ),
        },
        OAUTH,
      ),
    ),
    inherit_env: v.optional(
      v.pipe(
        v.array(
          v.pipe(
            variableName("inherit_env"),
            v.check(
              (name) => !isFixedForbiddenVariable(name),
              "`inherit_env` names a variable that belongs to this service; take it out, and store the server's own value as a secret",
            ),
          ),
          "`inherit_env` is a list of names of variables",
        ),
        v.maxLength(64, "`inherit_env` holds at most 64 names"),
      ),
      [],
    ),
  },
  "an entry of `servers` is a mapping with `name`, and `command` or `url`",
);

/** One entry as the file spells it, checked. */
export type ServerDeclaration = v.InferOutput<typeof serverSchema>;
