import type { Section } from "./document-message.ts";

/** Levels of headings that name a section. */
const DEEPEST = 6;

/** The sections of a Markdown text, each under the headings that it stands under, and the title: that of its front matter, else its first heading of the first level. */
export function markdownSections(text: string): { readonly title: string; readonly sections: readonly Section[] } {
  const { front, body } = withoutFrontMatter(text.replaceAll(/\r\n?/g, "\n"));
  const sections: Section[] = [];
  const above: string[] = [];
  let first = "";
  let lines: string[] = front === "" ? [] : [front];
  let fence: string | undefined;
  const close = (): void => {
    const own = lines.join("\n").trim();
    if (own !== "") sections.push({ heading: above.filter((one) => one !== "").join(" › "), text: own });
    lines = [];
  };
  for (const line of body.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || (line.trim() === mark && mark.startsWith(fence))))
      fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) : null;
    if (heading === null) {
      lines.push(line);
      continue;
    }
    close();
    const level = (heading[1] as string).length;
    const name = (heading[2] as string).replace(/[ \t]+#+[ \t]*$/, "").trim();
    above.length = Math.min(above.length, level - 1);
    while (above.length < level - 1 && above.length < DEEPEST) above.push("");
    above.push(name);
    if (level === 1) first ||= name;
  }
  close();
  const title = /^title:[ \t]*(.*)$/m
    .exec(front)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  return { title: title || first, sections };
}

/** What stands between two lines of three dashes at the start. */
function withoutFrontMatter(text: string): { readonly front: string; readonly body: string } {
  const found = /^\uFEFF?---[ \t]*\n([\s\S]{0,20000}?)\n---[ \t]*(?:\n|$)/.exec(text);
  return found === null ? { front: "", body: text } : { front: found[1] ?? "", body: text.slice(found[0].length) };
}
