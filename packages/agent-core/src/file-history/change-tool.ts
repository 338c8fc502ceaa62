/** What the tools that change files have in common (F6 to F8). */
import type { ToolContext, ToolPreview } from "@agent-service/plugin-sdk";
import type { Fence } from "../fence/index.ts";
import { OF_FILES, type SeenFiles } from "../filesystem/index.ts";
import { isBinary } from "../line-changes/index.ts";
import type { FileChange, IrreversibleReason } from "./file-change.ts";
import type { FileHistory, MadeChange, WantedChange } from "./file-history.ts";
import { stateOf } from "./file-state.ts";
import { textPatch } from "./text-patch.ts";

export interface ChangeToolParts {
  readonly history: FileHistory;
  /** Which files a conversation knows. */
  readonly seen: SeenFiles;
  /** Takes known secrets out. */
  readonly redact: (text: string) => string;
}

/**
 * In whose turns they exist, and that their results are the agent's own. What is left of an aborted change changes nothing once
 * its row is settled: it is alone with its file until it has ended, and looks whether it was aborted before it begins.
 */
export const OF_CHANGES = { ...OF_FILES, content: "own", reconcilesAborted: true } as const;

/** The arguments that say which file. */
export interface FileArguments {
  readonly path: string;
  readonly project: string;
}

const WHY: { readonly [Reason in IrreversibleReason]: string } = {
  too_large: "it was larger than 8 MiB",
  secret: "it held a secret",
  history_off: "the history of files is off",
  expired: "the history of files is full",
  link: "it was a link",
  not_kept: "what it held was not kept",
};

/** Why a change cannot be taken back, as a part of a sentence. */
export function irreversibleText(reason: IrreversibleReason): string {
  return WHY[reason];
}

/** A change of a call. */
export function wantedOf(
  { path, project }: FileArguments,
  { callId, taskId, caller, signal }: ToolContext,
  change: Pick<WantedChange, "access" | "content">,
): WantedChange {
  return { owner: { call: callId, task: taskId, class: caller.class }, path, project, signal, ...change };
}

/** What the model reads of a change. */
export function madeText({
  outcome,
  path,
  added,
  removed,
  reason,
}: Pick<MadeChange, "outcome" | "path" | "added" | "removed" | "reason">): string {
  if (outcome === "unchanged") return `${path} is like that already.`;
  const verb = { created: "Created", modified: "Changed", deleted: "Deleted" }[outcome];
  const lines = outcome === "deleted" || added + removed === 0 ? "" : ` (+${added} −${removed})`;
  return `${verb} ${path}${lines}.${reason === undefined ? "" : ` This cannot be undone: ${irreversibleText(reason)}.`}`;
}

/** The result of a call that a crash left open, where its file tells that it happened (FC2); undefined: it did not. */
export async function reconciled(history: FileHistory, { taskId, callId }: ToolContext): Promise<string | undefined> {
  const change = await history.reconcile({ task: taskId, call: callId });
  return change && madeText({ ...change, outcome: outcomeOf(change) });
}

function outcomeOf({ operation }: FileChange): MadeChange["outcome"] {
  return ({ create: "created", modify: "modified", delete: "deleted" } as const)[operation];
}

/** Shows what a change would do to the file as it is now (F28). */
export async function previewOf(
  { history, redact }: Pick<ChangeToolParts, "history" | "redact">,
  { path, project, access, content }: Pick<WantedChange, "path" | "project" | "access" | "content">,
): Promise<ToolPreview | undefined> {
  await using located = await history.fence.open({ path, project, for: access });
  const current = await stateOf(located);
  const base = current?.digest ?? "none";
  const after = content(current, located);
  if (after === undefined) return { kind: "delete", path: redact(located.path), bytes: current?.bytes ?? 0, base };
  const sides = [current?.content, after];
  if (sides.some((side) => side !== undefined && isBinary(side))) return undefined;
  const [old, now] = sides.map((side) => side && redact(Buffer.from(side).toString()));
  const shown = redact(located.path);
  const compared = await textPatch(shown, old, now);
  if (compared === undefined) return undefined;
  const { additions, deletions, patch } = compared;
  return { kind: "diff", files: [{ path: shown, additions, deletions }], patch, base };
}

/** Refuses as a read does: with names that are similar. Returns where the file is there by now. @throws FenceRefusal */
export async function refuseMissing(fence: Fence, { path, project }: FileArguments): Promise<void> {
  await using located = await fence.open({ path, project, for: "read" });
  void located;
}
