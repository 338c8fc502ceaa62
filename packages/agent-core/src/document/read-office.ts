/** Runs in the document thread: documents that are archives of XML. Throws `DocumentError`. */
import { DocumentError } from "./document-error.ts";
import type { DocumentText, Section } from "./document-message.ts";
import { type Archive, readArchive } from "./read-archive.ts";
import { SectionBuilder } from "./section-builder.ts";
import { xmlParts } from "./xml-parts.ts";

const WANTED =
  /^(?:mimetype|META-INF\/(?:container|manifest)\.xml|docProps\/core\.xml|meta\.xml|content\.xml|word\/(?:document|styles)\.xml|ppt\/slides\/slide\d{1,5}\.xml|xl\/(?:workbook|sharedStrings)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[\w.-]{1,100}\.xml|.{1,300}\.(?:opf|xhtml|html?))$/i;

/** The text of a Word, PowerPoint, Excel, OpenDocument or EPUB document. */
export function readOffice(bytes: Uint8Array): DocumentText {
  const archive = readArchive(bytes, (name) => WANTED.test(name));
  const has = (name: string): boolean => archive.names.includes(name);
  if (archive.text("META-INF/manifest.xml")?.includes("encryption-data"))
    throw new DocumentError("document.encrypted", "the document needs a password");
  const title = elementText(archive.text("docProps/core.xml") ?? archive.text("meta.xml") ?? "", "title");
  if (has("word/document.xml")) return { type: "docx", title, sections: word(archive) };
  if (has("ppt/presentation.xml")) return { type: "pptx", title, sections: slides(archive) };
  if (has("xl/workbook.xml")) return { type: "xlsx", title, sections: sheets(archive) };
  if (has("META-INF/container.xml")) return epub(archive);
  if (has("content.xml")) return { type: "odt", title, sections: openDocument(archive) };
  throw new DocumentError("document.unsupported", "an archive of this type cannot be read");
}

/** The text of the first element of a name. */
function elementText(xml: string, name: string): string {
  let text: string | undefined;
  for (const part of xmlParts(xml)) {
    if (part.kind === "open" && part.name === name) text ??= "";
    if (part.kind === "text" && text !== undefined) text += part.text;
    if (part.kind === "close" && part.name === name && text !== undefined) return text.trim();
  }
  return "";
}

/** The levels of a Word document's styles: their names are English in every language, their ids are not. */
function headingStyles(xml: string): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  let id = "";
  for (const part of xmlParts(xml)) {
    if (part.kind !== "open") continue;
    if (part.name === "style") id = part.attribute("styleId") ?? "";
    const level = part.name === "name" ? /^(?:heading ([1-6])|title)$/i.exec(part.attribute("val") ?? "") : null;
    if (level !== null && id !== "") levels.set(id, Number(level[1] ?? 1));
  }
  return levels;
}

function word(archive: Archive): readonly Section[] {
  const levels = headingStyles(archive.text("word/styles.xml") ?? "");
  const builder = new SectionBuilder();
  let line = "";
  let level: number | undefined;
  let isText = false;
  for (const part of xmlParts(archive.text("word/document.xml") ?? "")) {
    if (part.kind === "text") line += isText ? part.text : "";
    else if (part.kind === "open") {
      if (part.name === "t") isText = true;
      else if (part.name === "tab") line += "\t";
      else if (part.name === "br" || part.name === "cr") line += "\n";
      else if (part.name === "pStyle") level = levels.get(part.attribute("val") ?? "");
    } else if (part.name === "t") isText = false;
    else if (part.name === "p") {
      if (level !== undefined && line.trim() !== "") builder.heading(level, line.replaceAll(/\s+/g, " ").trim());
      else builder.line(`${line}\n`);
      [line, level] = ["", undefined];
    }
  }
  return builder.sections();
}

function slides({ names, text }: Archive): readonly Section[] {
  const numbers = names
    .map((name) => Number(/^ppt\/slides\/slide(\d{1,5})\.xml$/.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number))
    .toSorted((a, b) => a - b);
  return numbers.map((number): Section => {
    let shown = "";
    let isText = false;
    for (const part of xmlParts(text(`ppt/slides/slide${number}.xml`) ?? "")) {
      if (part.kind === "text") shown += isText ? part.text : "";
      else if (part.name === "t") isText = part.kind === "open";
      else if (part.kind === "close" && part.name === "p") shown += "\n";
      else if (part.kind === "open" && part.name === "br") shown += "\n";
    }
    return { heading: `slide ${number}`, text: shown };
  });
}

function sheets(archive: Archive): readonly Section[] {
  const shared = sharedTexts(archive.text("xl/sharedStrings.xml") ?? "");
  const targets = new Map<string, string>();
  for (const part of xmlParts(archive.text("xl/_rels/workbook.xml.rels") ?? ""))
    if (part.kind === "open" && part.name === "Relationship")
      targets.set(part.attribute("Id") ?? "", (part.attribute("Target") ?? "").replace(/^\/?(?:xl\/)?/, "xl/"));
  const sections: Section[] = [];
  for (const part of xmlParts(archive.text("xl/workbook.xml") ?? "")) {
    if (part.kind !== "open" || part.name !== "sheet") continue;
    const xml = archive.text(targets.get(part.attribute("r:id") ?? part.attribute("id") ?? "") ?? "");
    if (xml !== undefined) sections.push({ heading: part.attribute("name") ?? "", text: rowsOf(xml, shared) });
  }
  return sections;
}

function sharedTexts(xml: string): readonly string[] {
  const texts: string[] = [];
  let text = "";
  let isText = false;
  for (const part of xmlParts(xml)) {
    if (part.kind === "text") text += isText ? part.text : "";
    else if (part.name === "t") isText = part.kind === "open";
    else if (part.kind === "close" && part.name === "si") {
      texts.push(text);
      text = "";
    }
  }
  return texts;
}

/** A line for each row, its cells parted by tabulators. */
function rowsOf(xml: string, shared: readonly string[]): string {
  const lines: string[] = [];
  let cells: string[] = [];
  let value = "";
  let isValue = false;
  let isShared = false;
  for (const part of xmlParts(xml)) {
    if (part.kind === "text") value += isValue ? part.text : "";
    else if (part.name === "v" || part.name === "t") isValue = part.kind === "open";
    else if (part.name === "c" && part.kind === "open") {
      isShared = part.attribute("t") === "s";
      value = "";
    } else if (part.name === "c") cells.push(isShared ? (shared[Number(value)] ?? "") : value);
    else if (part.name === "row" && part.kind === "close") {
      lines.push(cells.join("\t"));
      cells = [];
    }
  }
  return lines.filter((line) => line.trim() !== "").join("\n");
}

function openDocument({ text }: Archive): readonly Section[] {
  const builder = new SectionBuilder();
  let line = "";
  let level: number | undefined;
  let depth = 0;
  for (const part of xmlParts(text("content.xml") ?? "")) {
    if (part.kind === "text") line += depth > 0 ? part.text : "";
    else if (part.name === "p" || part.name === "h") {
      depth = Math.max(0, depth + (part.kind === "open" ? 1 : -1));
      if (part.kind === "open") level = part.name === "h" ? Number(part.attribute("outline-level") ?? 1) : undefined;
      else {
        if (level !== undefined && line.trim() !== "") builder.heading(level, line.replaceAll(/\s+/g, " ").trim());
        else builder.line(`${line}\n`);
        [line, level] = ["", undefined];
      }
    } else if (part.kind === "open" && part.name === "tab") line += "\t";
    else if (part.kind === "open" && part.name === "s") line += " ";
    else if (part.kind === "open" && part.name === "line-break") line += "\n";
  }
  return builder.sections();
}

/** Elements of XHTML behind which a line ends. */
const BLOCKS: ReadonlySet<string> = new Set(["p", "div", "li", "tr", "br", "blockquote", "section", "pre", "dt", "dd"]);
const SILENT: ReadonlySet<string> = new Set(["head", "style", "script"]);

function epub(archive: Archive): DocumentText {
  let opf = "";
  for (const part of xmlParts(archive.text("META-INF/container.xml") ?? ""))
    if (part.kind === "open" && part.name === "rootfile") opf ||= part.attribute("full-path") ?? "";
  const xml = archive.text(opf);
  if (xml === undefined) throw new DocumentError("document.unreadable", "the book has no list of its chapters");
  const files = new Map<string, string>();
  const builder = new SectionBuilder();
  for (const part of xmlParts(xml)) {
    if (part.kind !== "open") continue;
    if (part.name === "item") files.set(part.attribute("id") ?? "", part.attribute("href") ?? "");
    if (part.name === "itemref") chapter(archive, opf, files.get(part.attribute("idref") ?? ""), builder);
  }
  return { type: "epub", title: elementText(xml, "title"), sections: builder.sections() };
}

function chapter(archive: Archive, opf: string, href: string | undefined, builder: SectionBuilder): void {
  // An address in the archive: where it leads out of it, there is no such file.
  const place = href === undefined ? null : URL.parse(href, `http://book.invalid/${opf}`);
  const xml = place === null ? undefined : archive.text(decoded(place.pathname).slice(1));
  if (xml === undefined) return;
  let line = "";
  let silent = 0;
  for (const part of xmlParts(xml)) {
    if (part.kind === "text") line += silent === 0 ? part.text.replaceAll(/\s+/g, " ") : "";
    else if (SILENT.has(part.name)) silent = Math.max(0, silent + (part.kind === "open" ? 1 : -1));
    else if (/^h[1-6]$/.test(part.name)) {
      if (part.kind === "open") builder.line(line);
      else builder.heading(Number(part.name[1]), line.trim());
      line = "";
    } else if (part.kind === "close" && BLOCKS.has(part.name)) {
      builder.line(`${line}\n`);
      line = "";
    }
  }
  builder.line(line);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
