/** Documents that are damaged or made to do harm, drawn from a seed. */
import { pdfOf } from "../../../packages/agent-core/src/testing/index.ts";
import { createRandom, type Random } from "../random.ts";
import { archiveOf } from "./archive-of.ts";

/** One of them. */
export interface HostileDocument {
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly mediaType: string;
}

const KINDS = {
  pdf: (random: Random) => damaged(random, Buffer.from(pdfOf("Hello (world)", "", "page\nthree"))),
  "pdf that lies": (random: Random) => {
    const text = Buffer.from(pdfOf("Hello")).toString("latin1");
    const change = random.pick<(text: string) => string>([
      (one) => one.replace(/\/Count \d+/, `/Count ${random.int(0, 2 ** 31)}`),
      (one) => one.replace(/\/Kids \[.*?\]/, "/Kids [2 0 R 2 0 R]"),
      (one) => one.replace(/\/Length \d+/, `/Length ${random.int(-5, 1e9)}`),
      (one) => one.replace("/Root 1 0 R", "/Root 1 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /O (x) /U (y) /P -4 >>"),
      (one) => one.replace(/startxref\n\d+/, `startxref\n${random.int(0, 1e9)}`),
      (one) => one.replace("/Contents", `/Contents ${"[".repeat(random.int(1, 5_000))}`),
    ]);
    return Buffer.from(change(text), "latin1");
  },
  "archive with names that lead out": (random: Random) =>
    archiveOf([
      [random.pick(["../../word/document.xml", "/etc/passwd", "..\\..\\x", "__proto__", "word/\0.xml"]), "x"],
      ["word/document.xml", `<w:p><w:t>${"a".repeat(random.int(0, 3_000))}</w:t></w:p>`],
    ]),
  "archive that is a bomb": (random: Random) =>
    archiveOf([[random.pick(PARTS), Buffer.alloc(random.int(5, 12) * 1024 * 1024, random.pick(["<", "a", " ", "&"]))]]),
  "damaged archive": (random: Random) => damaged(random, archiveOf(PARTS.map((name) => [name, xml(random)]))),
  "archive of odd XML": (random: Random) =>
    archiveOf([
      ["META-INF/container.xml", '<c><rootfile full-path="b.opf"/></c>'],
      ...PARTS.map((name) => [name, xml(random)] as const),
    ]),
  html: (random: Random) => {
    const parts = Array.from({ length: random.int(1, 60) }, () =>
      random.pick([
        ...[
          "<div>",
          "</div>",
          "<p>text ",
          "<script>while(1);</script>",
          "<table><tr><td>",
          "<!--",
          "-->",
          "<a href='javascript:x'>",
        ],
        ...[
          "<h1>Title</h1>",
          "&#0;&#x110000;&amp",
          '<img src="x',
          "<svg><style>",
          "</body>",
          "<base href='//['>",
          "\u{1F600}\ud800",
        ],
        "<b>".repeat(random.int(1, 3_000)),
      ]),
    );
    return Buffer.from(`<!doctype html>${parts.join("")}`);
  },
  "elements inside each other": (random: Random) => {
    const [open, close] = random.pick([
      ["<div>", "</div>"],
      ["<b>x ", ""],
      ["<ul><li>item ", ""],
      ["<li><dd>", ""],
      ["<table><tr><td>", ""],
      ["<div><p>a</p><script>x</script>", ""],
    ] as const);
    const many = random.pick([300, 2_000, 10_000]);
    return Buffer.from(`<!doctype html><p>start</p>${open.repeat(many)}text${close.repeat(many)}`);
  },
  "front matter": (random: Random) => {
    const lines = Array.from({ length: random.int(0, 200) }, () =>
      random.pick([
        "title: x",
        "title:",
        "a: &a [*a]",
        "---",
        "- ".repeat(50),
        '"',
        "\ud800",
        "__proto__: 1",
        "!!js/function x",
        "#".repeat(2_000),
      ]),
    );
    return Buffer.from(
      `---\n${lines.join("\n")}\n${random.chance(0.5) ? "---\n" : ""}# Head\n${"`".repeat(random.int(0, 9))}\ntext`,
    );
  },
  text: (random: Random) =>
    Buffer.concat([
      Buffer.from(random.pick(["", "\ufeff", "%PD", "PK", "<html"])),
      Buffer.from(random.pick([[], [0xff, 0xfe], [0xfe, 0xff, 0x00], [0xc3, 0x28], [0xed, 0xa0, 0x80]])),
      Buffer.from("word ".repeat(random.int(0, 3_000))),
    ]),
  noise: (random: Random) => Buffer.from(Array.from({ length: random.int(0, 2_000) }, () => random.int(0, 255))),
} as const satisfies { readonly [kind: string]: (random: Random) => Buffer };

const PARTS = [
  "word/document.xml",
  "word/styles.xml",
  "ppt/presentation.xml",
  "ppt/slides/slide1.xml",
  "xl/workbook.xml",
  "content.xml",
  "b.opf",
  "c.xhtml",
];
const NAMES = [
  "",
  "x.md",
  "x.pdf",
  "../../x",
  "x.docx",
  "x.html",
  "x.csv",
  "a\0b.json",
  "x.".repeat(200),
  "x.__proto__",
];
const TYPES = [
  "",
  "text/html",
  "application/pdf",
  "text/markdown; charset=utf-16",
  "text/plain; charset=nonsense",
  "x",
  "constructor",
];

/** The document of a number, for a seed. */
export function hostileDocument(seed: string, number: number): HostileDocument {
  const random = createRandom(`${seed}/${number}`);
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const kind = kinds[number % kinds.length] as keyof typeof KINDS;
  return { kind, bytes: KINDS[kind](random), name: random.pick(NAMES), mediaType: random.pick(TYPES) };
}

function damaged(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let i = random.int(0, 20); i > 0; i--) copy[random.int(0, copy.length - 1)] = random.int(0, 255);
  return random.chance(0.3) ? copy.subarray(0, random.int(0, copy.length)) : copy;
}

function xml(random: Random): string {
  const parts = Array.from({ length: random.int(0, 40) }, () =>
    random.pick([
      ...[
        "<w:p>",
        "</w:p>",
        "<w:t>text</w:t>",
        "<a:p><a:t>slide</a:t></a:p>",
        '<a b="',
        "<!DOCTYPE x [<!ENTITY y 'z'>]>",
        "&y;",
        "<![CDATA[",
      ],
      ...[
        "<text:h text:outline-level='-7'>",
        "</text:h>",
        "<sheet name='s' r:id='r'/>",
        "<item id='a' href='../../c.xhtml'/>",
        "<itemref idref='a'/>",
      ],
      ...[
        "<row><c t='s'><v>99999999999</v></c></row>",
        "<a".repeat(random.int(1, 500)),
        "<x>".repeat(random.int(1, 5_000)),
        "&#xD800;",
      ],
    ]),
  );
  return parts.join("");
}
