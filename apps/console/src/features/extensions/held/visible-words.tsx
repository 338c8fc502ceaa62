import type { ReactElement } from "react";
import { classNames } from "../../../ui/index.ts";
import type { TextPart } from "./definition-difference.ts";
import { visiblePieces } from "./visible-text.ts";

/** A side of a difference: what only it has is marked, and characters that are not seen are drawn by their names. */
export function VisibleWords({
  parts,
  kind,
  isCode = true,
}: {
  readonly parts: readonly TextPart[];
  readonly kind: "before" | "after";
  readonly isCode?: boolean;
}): ReactElement {
  const Changed = kind === "before" ? "del" : "ins";
  const colour = kind === "before" ? "bg-bad-soft text-bad" : "bg-good-soft text-good";
  return (
    <pre className={classNames("text-sm whitespace-pre-wrap", !isCode && "font-sans")}>
      {parts.map(({ text, isChanged }, at) => {
        const pieces = visiblePieces(text).map((piece, index) =>
          "text" in piece ? (
            piece.text
          ) : (
            <span
              key={String(index)}
              title="Characters that people do not see"
              className="mx-0.5 rounded-sm border border-bad px-1 text-xs font-semibold text-bad"
            >
              {piece.invisible}
            </span>
          ),
        );
        return isChanged ? (
          <Changed key={String(at)} className={classNames("no-underline", colour)}>
            {pieces}
          </Changed>
        ) : (
          <span key={String(at)}>{pieces}</span>
        );
      })}
    </pre>
  );
}
