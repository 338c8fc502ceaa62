/**
 * Placeholders of other programs as ours: `${NAME}` and `${NAME:-default}` (M3). Each becomes an input, because nothing
 * of the environment is read for a server that came from a text (M16).
 */
import type { ImportedInput } from "./imported-server.ts";
import { fieldsOf, listField, plainText, textField } from "./own-fields.ts";

/** What a file says of an input by its id. */
export interface InputDeclaration {
  readonly label: string | undefined;
  readonly secret: boolean | undefined;
  readonly fallback: string | undefined;
}

/** `inputs` of a VS Code file, by id. */
export function readInputDeclarations(inputs: unknown): ReadonlyMap<string, InputDeclaration> {
  const declared = new Map<string, InputDeclaration>();
  for (const one of Array.isArray(inputs) ? inputs : []) {
    const entry = fieldsOf(one);
    const id = entry && textField(entry, "id");
    if (entry === undefined || id === undefined) continue;
    const options = listField(entry, "options").flatMap((option) => plainText(option) ?? []);
    const description = textField(entry, "description");
    const choices = options.length === 0 ? "" : `one of ${options.slice(0, 20).join(", ")}`;
    declared.set(id, {
      label: [description, choices].filter((part) => part).join(": ") || undefined,
      secret: entry.password === true ? true : options.length > 0 ? false : undefined,
      fallback: plainText(entry.default),
    });
  }
  return declared;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,119}$/;
/** Names that values are not stored under: no configuration file may have such a key. */
const UNSTORED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const SECRET_NAME = /key|token|secret|passw|passphrase|credential|auth|cookie|session|dsn|private|_pat\b|\bpat\b/i;

/** Words that editors replace; they stand for folders of the machine the file is from. */
const EDITOR_WORDS: { readonly [word: string]: string } = {
  userHome: "The home folder",
  workspaceFolder: "The folder of the project",
  workspaceFolderBasename: "The name of the project's folder",
};

/** `${…}` of every program; `{env:NAME}` and `{file:path}` of opencode. */
const MARK = /\$\{([^{}]{1,200})\}|\{(env|file):([^{}]{1,500})\}/g;
/** What documentation writes where a value belongs. */
const EXAMPLE_VALUE =
  /<[A-Za-z][A-Za-z0-9 _./'-]{0,80}>|\b(?:YOUR|your)[_-][A-Za-z0-9_-]{0,60}\b(?:[_-](?:HERE|here))?|\bREPLACE_ME\b/g;

/** Rewrites the texts of one server and keeps what they ask for. */
export class PlaceholderCollector {
  readonly #declared: ReadonlyMap<string, InputDeclaration>;
  readonly #keys = new Map<string, string>();
  readonly #inputs = new Map<string, ImportedInput>();

  constructor(declared: ReadonlyMap<string, InputDeclaration> = new Map()) {
    this.#declared = declared;
  }

  get inputs(): readonly ImportedInput[] {
    return [...this.#inputs.values()];
  }

  /** `name`: of the header or variable that the text is the value of; its example values become inputs of that name. */
  rewrite(text: string, name?: string, isHeader = false): string {
    const marked = text.replace(MARK, (_, inner: string | undefined, kind: string | undefined, rest = "") =>
      inner === undefined ? this.#ofOpencode(kind === "file", rest, name) : this.#ofBraces(inner, isHeader),
    );
    if (name === undefined) return marked;
    // Only around the placeholders that are there now.
    return marked
      .split(/(\$\{[^}]*\})/)
      .map((part, index) =>
        index % 2 === 1
          ? part
          : part.replace(EXAMPLE_VALUE, () =>
              this.add(`example:${name}`, isHeader ? name.toUpperCase() : name, {
                label: name,
                secret: isHeader || undefined,
              }),
            ),
      )
      .join("");
  }

  /** The placeholder of an id, whose input is `wanted` or a name like it. */
  add(id: string, wanted: string, given: Partial<InputDeclaration> = {}): string {
    const key = this.#keyOf(id, wanted);
    const { label = wanted.trim(), secret = SECRET_NAME.test(wanted), fallback } = given;
    const kept = usableFallback(fallback);
    const before = this.#inputs.get(key);
    this.#inputs.set(key, {
      key,
      label: before?.label ?? label.slice(0, 300),
      secret: before?.secret === true || secret,
      required: before?.required === true || kept === undefined,
    });
    return kept === undefined ? `\${${key}}` : `\${${key}:-${kept}}`;
  }

  #ofBraces(inner: string, isHeader: boolean): string {
    const input = /^input:(.*)$/s.exec(inner)?.[1];
    if (input !== undefined) {
      const { label, secret, fallback } = this.#declared.get(input) ?? {};
      return this.add(`input:${input}`, input, {
        ...(label !== undefined && { label }),
        secret: secret ?? (isHeader || undefined),
        fallback,
      });
    }
    if (inner === "/" || inner === "pathSeparator") return "/";
    const variable = /^env:(.*)$/s.exec(inner)?.[1] ?? inner;
    const [, name = variable, fallback] = /^([A-Za-z_][A-Za-z0-9_]*):-(.*)$/s.exec(variable) ?? [];
    const word = Object.hasOwn(EDITOR_WORDS, name) ? EDITOR_WORDS[name] : undefined;
    return this.add(`variable:${name}`, name, {
      ...(word === undefined ? { secret: isHeader || undefined } : { label: word, secret: false }),
      fallback,
    });
  }

  #ofOpencode(isFile: boolean, rest: string, name: string | undefined): string {
    if (!isFile) return this.add(`variable:${rest}`, rest);
    const label = `What the file ${rest.trim()} holds`;
    return this.add(`file:${rest}`, name ?? rest.split("/").at(-1) ?? rest, { label, secret: true });
  }

  #keyOf(id: string, wanted: string): string {
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const taken = new Set(this.#keys.values());
    const base = toKey(wanted);
    let key = base;
    for (let count = 2; taken.has(key); count++) key = `${base}_${count}`;
    this.#keys.set(id, key);
    return key;
  }
}

function toKey(wanted: string): string {
  const name = wanted.trim();
  if (NAME.test(name) && !UNSTORED.has(name)) return name;
  const plain = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return (/^[0-9]/.test(plain) ? `_${plain}` : plain).slice(0, 110) || "VALUE";
}

/** A default that our placeholders can hold: no brace ends it early. Blank is none. */
function usableFallback(fallback: string | undefined): string | undefined {
  return fallback === undefined || fallback.trim() === "" || /[}\n]/.test(fallback) ? undefined : fallback;
}
