import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A change as the API has it. */
export type Change = AnswerOf<Extract<OperatorDefinition, { readonly name: "changes.list" }>>["changes"][number];

/** A file with all that a turn changed in it. */
export interface ChangedFile {
  readonly key: string;
  readonly project: string;
  readonly path: string;
  /** Its changes that are in effect, which an undo takes back. */
  readonly ids: readonly string[];
  /** The undo that brings it back; undefined while its changes are in effect. */
  readonly undo: string | undefined;
  readonly additions: number;
  readonly deletions: number;
  /** Why its changes cannot be undone. */
  readonly reason: Change["reason"];
  /** Whether something else than the turn may have changed it. */
  readonly uncertain: boolean;
  /** Whether somebody changed it since. */
  readonly current: Change["current"];
}

/** The files of changes, which come newest first; in the order of their paths. */
export function changedFiles(changes: readonly Change[]): readonly ChangedFile[] {
  const byFile = Map.groupBy(changes, ({ project, path }) => `${project}\0${path}`);
  return [...byFile].map(fileOf).sort((a, b) => (a.key < b.key ? -1 : 1));
}

function fileOf([key, changes]: readonly [string, readonly Change[]]): ChangedFile {
  const [newest] = changes as readonly [Change];
  const inEffect = changes.filter(({ origin, state }) => origin !== "undo" && state !== "undone");
  const undo =
    inEffect.length > 0 ? undefined : changes.find(({ origin, state }) => origin === "undo" && state === "done");
  const sum = (count: (change: Change) => number): number => inEffect.reduce((total, one) => total + count(one), 0);
  return {
    ...{ key, project: newest.project, path: newest.path, undo: undo?.id, current: newest.current },
    ids: inEffect.map(({ id }) => id),
    additions: sum(({ additions }) => additions),
    deletions: sum(({ deletions }) => deletions),
    reason: inEffect.at(-1)?.reason ?? null,
    uncertain: inEffect.some(({ uncertain }) => uncertain),
  };
}
