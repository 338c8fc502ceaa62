import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";
import { readDocument } from "./index.ts";

async function read(files: { readonly [name: string]: string } | Uint8Array, name = "") {
  const bytes = files instanceof Uint8Array ? files : zip(files);
  const { signal } = new AbortController();
  const document = await readDocument({ bytes, name, mediaType: "", url: "" }, { redact: (text) => text, signal });
  const pieces = await document.next(1_000);
  await document.close();
  return { type: document.type, title: document.title, pieces };
}

function zip(files: { readonly [name: string]: string }): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // What deflates nothing is not set up for it: of ten thousand files that alone takes seconds.
  return zipSync(
    Object.fromEntries(entries.map(([name, bytes]) => [name, [bytes, { level: bytes.length < 100 ? 0 : 6 }]])),
  );
}

const WORD = "<w:document xmlns:w='x'><w:body>";

it("reads Word: headings by the names of their styles, tabs, breaks, tables, no deleted text", async () => {
  const read1 = await read({
    "docProps/core.xml": "<cp:p><dc:title>Handbook &amp; more</dc:title></cp:p>",
    "word/styles.xml": '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>',
    "word/document.xml": `${WORD}<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Plants</w:t></w:r></w:p>
      <w:p><w:r><w:t xml:space="preserve">Water </w:t><w:tab/><w:t>ferns &lt;daily&gt;</w:t><w:delText>never</w:delText></w:r></w:p>
      <w:p><w:r><w:t>&#x1F33F;&#0;</w:t></w:r></w:p></w:body></w:document>`,
  });
  expect(read1).toEqual({
    ...{ type: "docx", title: "Handbook & more" },
    pieces: [{ heading: "Plants", text: "Water \tferns <daily>\n\n🌿\ufffd" }],
  });
});

it("reads slides in their order, and sheets row by row under their names", async () => {
  const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
  const show = await read({
    ...{
      "ppt/presentation.xml": "<x/>",
      "ppt/slides/slide10.xml": slide("last"),
      "ppt/slides/slide2.xml": slide("first"),
    },
  });
  expect(show.pieces).toEqual([
    { heading: "slide 2", text: "first" },
    { heading: "slide 10", text: "last" },
  ]);
  const book = await read({
    "xl/workbook.xml": '<workbook><sheets><sheet name="Costs" r:id="rId7"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId7" Target="worksheets/sheet3.xml"/></Relationships>',
    "xl/sharedStrings.xml": "<sst><si><t>Fern</t></si><si><r><t>Pot</t></r><r><t>s</t></r></si></sst>",
    "xl/worksheets/sheet3.xml":
      '<worksheet><row><c t="s"><v>0</v></c><c><v>7.5</v></c></row><row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>free</t></is></c></row></worksheet>',
  });
  expect(book).toMatchObject({ type: "xlsx", pieces: [{ heading: "Costs", text: "Fern\t7.5\nPots\tfree" }] });
});

it("reads OpenDocument text, and books chapter by chapter", async () => {
  const text = await read({
    "meta.xml": "<m><dc:title>Notes</dc:title></m>",
    "content.xml":
      '<o><text:h text:outline-level="2">Ferns</text:h><text:p>Water<text:s/>them<text:line-break/>daily</text:p></o>',
  });
  expect(text).toEqual({ type: "odt", title: "Notes", pieces: [{ heading: "Ferns", text: "Water them\ndaily" }] });
  const book = await read({
    "META-INF/container.xml": '<c><rootfile full-path="OEBPS/book.opf"/></c>',
    "OEBPS/book.opf":
      '<package><dc:title>On ferns</dc:title><manifest><item id="b" href="two%20.xhtml"/><item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="gone"/></spine></package>',
    "OEBPS/one.xhtml": "<html><head><title>no</title></head><body><h1>One</h1><p>They   grow.</p></body></html>",
    "OEBPS/two .xhtml": "<html><body><h1>Two</h1><p>They fade.</p><script>never()</script></body></html>",
  });
  expect(book).toEqual({
    ...{ type: "epub", title: "On ferns" },
    pieces: [
      { heading: "One", text: "They grow." },
      { heading: "Two", text: "They fade." },
    ],
  });
});

const encrypted = zip({ "word/document.xml": "x" });
encrypted[6] = 1;
it.each<[string, { readonly [name: string]: string } | Uint8Array, string]>([
  ["an archive of something else", { "a.txt": "a" }, "document.unsupported"],
  [
    "names that lead out of it",
    { "../../word/document.xml": `${WORD}<w:p><w:t>a</w:t></w:p>` },
    "document.unsupported",
  ],
  ["a password", encrypted, "document.encrypted"],
  [
    "OpenDocument with a password",
    { "META-INF/manifest.xml": "<encryption-data/>", "content.xml": "x" },
    "document.encrypted",
  ],
  ["an old Office file", Buffer.from("d0cf11e0a1b11ae1", "hex"), "document.unsupported"],
  [
    "an Office file with a password",
    Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
    "document.encrypted",
  ],
  ["a bomb", { "word/document.xml": "<w:t>".padEnd(60_000_000, "a") }, "document.too-large"],
  ["many files", Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}`, ""])), "document.too-large"],
  ["half an archive", zip({ "word/document.xml": "x".repeat(500) }).subarray(0, 60), "document.unreadable"],
  [
    "entities that multiply",
    { "word/document.xml": `<!DOCTYPE a [<!ENTITY b "bbbb">]>${WORD}<w:p><w:t> </w:t></w:p>` },
    "document.empty",
  ],
])("refuses %s", async (_, files, code) => {
  await expect(read(files)).rejects.toMatchObject({ code });
});
