import type { ReactElement, ReactNode } from "react";

/**
 * Text with the Markdown that descriptions use: paragraphs, `code` and **bold**. Everything else stays as it is. `inline`:
 * without paragraphs.
 */
export function InlineText({
  text,
  inline = false,
}: {
  readonly text: string;
  readonly inline?: boolean;
}): ReactElement {
  if (inline) return <>{marked(text)}</>;
  return (
    <>
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>{marked(paragraph)}</p>
      ))}
    </>
  );
}

function marked(text: string): readonly ReactNode[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    const key = `${index}`;
    if (part.startsWith("`")) return <code key={key}>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <strong key={key}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
