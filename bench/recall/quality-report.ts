import type { Bound } from "../bounds.ts";
import type { ModeFigures } from "./measure-quality.ts";

/** The figures of both ways to search as a table, and what was missed. */
export function qualityReport(modes: readonly ModeFigures[], signRecall?: number): string {
  const classes = [...new Set(modes.flatMap((mode) => mode.classes.map((one) => one.class)))];
  const columns = modes.flatMap(({ mode }) => [`${mode}: shown`, `${mode}: search`]);
  const rows = classes.map((name) => {
    const figures = modes.map((mode) => mode.classes.find((one) => one.class === name));
    const shares = figures.flatMap((one) => [one?.recalled, one?.searched].map((share) => share?.toFixed(2) ?? ""));
    return [name, String(figures[0]?.questions ?? ""), ...shares];
  });
  const nothing = modes.flatMap(({ unanswerable, injected }) =>
    unanswerable === 0 ? ["", ""] : [`${injected.length} of ${unanswerable}`, ""],
  );
  const table = [
    ["answers among the first five", "questions", ...columns],
    ["---", "---", ...columns.map(() => "---")],
    ...rows,
    ["nothing to find, and shown something", String(modes[0]?.unanswerable ?? 0), ...nothing],
    ["corrected since, and shown or found", "", ...modes.flatMap(({ superseded }) => [String(superseded), ""])],
  ].map((row) => `| ${row.join(" | ")} |`);
  const missed = modes.flatMap(({ mode, classes: of, injected }) => [
    ...of.flatMap((one) => one.missed.map((text) => `${mode} missed, ${one.class}: ${text}`)),
    ...injected.map((text) => `${mode} showed something, though there is nothing: ${text}`),
  ]);
  const signs = signRecall === undefined ? [] : ["", `ten nearest found by signs first: ${signRecall.toFixed(3)}`];
  return [...table, ...signs, "", ...missed, ""].join("\n");
}

/** What the own corpus is held to. A share that is to be large is bounded by what it lacks. */
export function qualityBounds(modes: readonly ModeFigures[], signRecall: number): readonly Bound[] {
  const of = (mode: string, name: string): number =>
    modes.find((one) => one.mode === mode)?.classes.find((one) => one.class === name)?.recalled ?? Number.NaN;
  const lacks = (what: string, share: number, most: number): Bound => ({ what, found: 1 - share, most, isTime: false });
  return [
    ...modes.flatMap(({ mode, superseded, unanswerable, injected }) => [
      lacks(`${mode}, exact: missed`, of(mode, "exact"), 0.05),
      lacks(`${mode}, identifier: missed`, of(mode, "identifier"), 0.05),
      { what: `${mode}: corrected since and shown`, found: superseded, most: 0, isTime: false },
      {
        what: `${mode}, nothing to find: shown something`,
        found: injected.length / unanswerable,
        most: 0.05,
        isTime: false,
      },
    ]),
    {
      what: "paraphrase: what hybrid finds less than keyword",
      found: of("keyword", "paraphrase") - of("hybrid", "paraphrase"),
      most: -0.01,
      isTime: false,
    },
    lacks("signs first: missed of the ten nearest", signRecall, 0.05),
  ];
}
