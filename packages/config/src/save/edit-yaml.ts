import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, isSeq, parseDocument, visit, type YAMLMap, type YAMLSeq } from "yaml";
import { parseYaml, toValue } from "../yaml-file/index.ts";
import { type ConfigEdit, type EditStep, editedValue, isPlain, withoutNothing } from "./edit.ts";
import { ConfigSaveError } from "./save-error.ts";
import { spliceEdit } from "./splice-edit.ts";

const WRITE = { version: "1.2", schema: "core", lineWidth: 0 } as const;

/**
 * The text of a configuration file with changes made. Comments, the order of keys, unknown keys and the layout of
 * what is not changed stay. Each change is checked by reading the result back: what cannot be written in place is
 * written by the YAML library, which keeps comments but lays the file out anew. `text` must be acceptable YAML
 * (`parseYaml`). Throws
 * `ConfigSaveError` (`unwritable`) for a value that such a file cannot hold.
 */
export function editYaml(text: string, edits: readonly ConfigEdit[]): string {
  return edits.reduce((current, edit) => applyEdit(current, edit), text);
}

function applyEdit(text: string, edit: ConfigEdit): string {
  const before = plainOf(text);
  const wanted = withoutNothing(editedValue(before, edit.path, edit.value));
  if (isDeepStrictEqual(withoutNothing(before), wanted)) return text;
  for (const write of [spliceEdit, rewriteEdit]) {
    const written = write(text, edit);
    if (written !== undefined && isDeepStrictEqual(withoutNothing(plainOf(written)), wanted)) return written;
  }
  throw new ConfigSaveError(
    "unwritable",
    "the change holds what no configuration file can: a key __proto__, constructor or prototype, or too much",
  );
}

function plainOf(text: string): unknown {
  const parsed = parseYaml(text);
  return parsed.ok ? toValue(parsed.root) : undefined;
}

/** The same through the library's document. */
function rewriteEdit(text: string, { path, value }: ConfigEdit): string | undefined {
  const document = parseDocument(text, { ...WRITE, merge: false, uniqueKeys: false, intAsBigInt: true });
  // An anchor may go with what is removed, so aliases are written out first.
  visit(document, {
    Alias: (_key, alias) => {
      const target = alias.resolve(document);
      return target === undefined ? undefined : document.createNode(target.toJS(document));
    },
  });
  if (!isMap(document.contents)) {
    const comment = document.comment;
    document.contents = document.createNode({}) as never;
    if (comment) document.commentBefore = [document.commentBefore, comment].filter(Boolean).join("\n");
    document.comment = null;
  }
  edit(document, document.contents as unknown as YAMLMap, path, value);
  return document.toString({ lineWidth: 0 });
}

/** Walks to the container of the last step, then sets or removes there. */
function edit(document: Document, container: YAMLMap | YAMLSeq, path: readonly EditStep[], value: unknown): void {
  const [step, ...rest] = path as [EditStep, ...EditStep[]];
  const key = keyIn(container, step);
  if (rest.length === 0 || key === undefined) {
    if (value === undefined && rest.length > 0) return;
    const fresh = rest.length === 0 ? value : editedValue(undefined, rest, value);
    if (value === undefined) {
      if (key !== undefined) container.delete(key);
    } else if (key !== undefined) container.set(key, document.createNode(fresh));
    else if (isSeq(container)) {
      if (container.items.length === 0) container.flow = false;
      const named = typeof step === "string" ? fresh : editedValue({ [step.field]: step.is }, rest, value);
      container.add(
        document.createNode(isPlain(named) && typeof step !== "string" ? { [step.field]: step.is, ...named } : named),
      );
    } else if (typeof step === "string") container.set(step, document.createNode(fresh));
    return;
  }
  let inner = container.get(key, true);
  const wantsList = typeof rest[0] !== "string";
  if (wantsList ? !isSeq(inner) : !isMap(inner)) {
    const fresh = document.createNode(wantsList ? [] : {});
    if (isScalar(inner)) Object.assign(fresh, { comment: inner.comment, commentBefore: inner.commentBefore });
    container.set(key, fresh);
    inner = fresh as never;
  }
  edit(document, inner as unknown as YAMLMap | YAMLSeq, rest, value);
}

function keyIn(container: YAMLMap | YAMLSeq, step: EditStep): string | number | undefined {
  if (typeof step === "string") return isMap(container) && container.has(step) ? step : undefined;
  const at = container.items.findIndex((entry) => isMap(entry) && entry.get(step.field) === step.is);
  return at === -1 ? undefined : at;
}
