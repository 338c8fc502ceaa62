import type { ReactElement } from "react";

/** Text with the Markdown that descriptions use: paragraphs, `code` and **bold**. Everything else stays as it is. */
export function InlineText({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>
          {paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
            const key = `${index}`;
            if (part.startsWith("`")) return <code key={key}>{part.slice(1, -1)}</code>;
            if (part.startsWith("**")) return <strong key={key}>{part.slice(2, -2)}</strong>;
            return part;
          })}
        </p>
      ))}
    </>
  );
}
