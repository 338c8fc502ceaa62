import type { AnswerOf, OperatorClient, OperatorDefinition } from "@agent-service/operator-api/client";
import { patchLines } from "./diff-text.ts";
import { clean, type Look } from "./terminal-text.ts";

/** What a call that waits would do, as the API returns it (F28). */
export type Preview = AnswerOf<Extract<OperatorDefinition, { readonly name: "approvals.preview" }>>;

const NOTHING: Preview = Object.freeze({ kind: "none" });

/** The preview of a prompt; of one that is gone, or that cannot be shown now, there is nothing to see. */
export async function previewOf(api: Pick<OperatorClient, "get">, id: string): Promise<Preview> {
  try {
    return await api.get("/api/approvals/{id}/preview", { params: { id } });
  } catch {
    return NOTHING;
  }
}

type Paint = (look: Look, text: string) => string;

/** A preview as indented lines, each ended; empty where there is nothing to see. At most `lines` of a diff or a script. */
export function previewText(preview: Preview, paint: Paint, lines = 200): string {
  return linesOf(preview, paint, lines)
    .map((line) => `  ${line}\n`)
    .join("");
}

/** The detail of a prompt, where it says more than the preview: that of a command says the same in sentences. */
export function detailBeside(preview: Preview | undefined, detail: string): string {
  return preview?.kind === "command" ? "" : detail;
}

function linesOf(preview: Preview, paint: Paint, lines: number): readonly string[] {
  switch (preview.kind) {
    case "command":
      return commandLines(preview, paint);
    case "diff": {
      const files = preview.files.map(({ path, additions, deletions }) => `${clean(path)} +${additions} -${deletions}`);
      return [...changedSince(preview, paint), ...files, ...cut(patchLines(preview.patch, paint), lines)];
    }
    case "delete":
      return [...changedSince(preview, paint), `deletes ${clean(preview.path)} (${preview.bytes} bytes)`];
    case "register": {
      const origin = preview.origin === null ? "" : `, cloned from ${clean(preview.origin)}`;
      const kind = preview.is_git ? `a Git repository${origin}` : "a folder";
      return [`${clean(preview.path)}: ${kind}`, preview.write ? "the agent may write there" : "read only"];
    }
    case "code":
      return cut(clean(preview.code).split("\n"), lines);
    case "none":
      return [];
  }
}

function commandLines(
  { argv, shell, project, cwd, network, sandbox, env, timeout, note }: Extract<Preview, { kind: "command" }>,
  paint: Paint,
): readonly string[] {
  // Quoted as JSON, so that each token is seen from its first character to its last.
  const tokens = argv.map(
    (token, at) => `${at === 0 ? "runs" : "    "}  ${paint("bold", JSON.stringify(clean(token)))}`,
  );
  const isolation = sandbox === null ? paint("yellow", "no sandbox") : `sandbox ${clean(sandbox)}`;
  return [
    ...tokens,
    ...(shell ? [paint("yellow", "through a shell")] : []),
    `in ${cwd === "." ? "" : `${clean(cwd)} of `}${clean(project)}, for at most ${timeout} s`,
    `${isolation}, ${network ? paint("yellow", "with network") : "no network"}`,
    ...(env.length === 0 ? [] : [`variables passed on: ${env.map(clean).join(", ")}`]),
    ...(note === undefined ? [] : [clean(note)]),
  ];
}

function changedSince({ changed_since: isChanged }: { readonly changed_since: boolean }, paint: Paint) {
  return isChanged
    ? [paint("yellow", "The file changed since the agent asked; this is what the call would do now.")]
    : [];
}

function cut(all: readonly string[], lines: number): readonly string[] {
  return all.length <= lines ? all : [...all.slice(0, lines), `… ${all.length - lines} more lines`];
}
