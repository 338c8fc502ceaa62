import type { ReactElement } from "react";

/** Text with the Markdown that descriptions use: paragraphs, `code` and **bold**. Everything else stays as it is. */
export function InlineText({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>
          {paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, place) => {
            const key = `${place}`;
            if (piece.startsWith("`")) return <code key={key}>{piece.slice(1, -1)}</code>;
            if (piece.startsWith("**")) return <strong key={key}>{piece.slice(2, -2)}</strong>;
            return piece;
          })}
        </p>
      ))}
    </>
  );
}
