import type { Section } from "./document-message.ts";
import { SectionBuilder } from "./section-builder.ts";

/** The sections of a Markdown text, each under the headings that it stands under, and the title: that of its front matter, else its first heading of the first level. */
export function markdownSections(text: string): { readonly title: string; readonly sections: readonly Section[] } {
  const { front, body } = withoutFrontMatter(text.replaceAll(/\r\n?/g, "\n"));
  const builder = new SectionBuilder();
  if (front !== "") builder.line(front);
  let fence: string | undefined;
  for (const line of body.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || (line.trim() === mark && mark.startsWith(fence))))
      fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) : null;
    if (heading === null) builder.line(line);
    else builder.heading((heading[1] as string).length, withoutMarks(heading[2] as string));
  }
  const title = /^title:[ \t]*(.*)$/m
    .exec(front)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  return { title: title || builder.title, sections: builder.sections() };
}

/** Without the marks behind a heading. */
function withoutMarks(heading: string): string {
  const text = heading.trimEnd();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return (end === 0 || /[ \t]/.test(text[end - 1] as string) ? text.slice(0, end) : text).trim();
}

/** What stands between two lines of three dashes at the start. */
function withoutFrontMatter(text: string): { readonly front: string; readonly body: string } {
  const found = /^\uFEFF?---[ \t]*\n([\s\S]{0,20000}?)\n---[ \t]*(?:\n|$)/.exec(text);
  return found === null ? { front: "", body: text } : { front: found[1] ?? "", body: text.slice(found[0].length) };
}
