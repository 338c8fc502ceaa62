/** A PDF with a text on each page, of few short lines; a blank one is a page without text. Its cross-reference table is right. */
export function pdfOf(...texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const font = 3 + texts.length * 2;
  const pageOf = (index: number): number => 3 + index * 2;
  const pages = texts.flatMap((text, index) => {
    const shown = text.split("\n").map((one) => `(${one}) '`);
    const stream = text === "" ? "" : `BT /F1 6 Tf 7 TL 72 780 Td ${shown.join(" ")} ET`;
    const resources = `/Contents ${pageOf(index) + 1} 0 R /Resources << /Font << /F1 ${font} 0 R >> >>`;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ];
  });
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${texts.map((_, index) => `${pageOf(index)} 0 R`).join(" ")}] /Count ${texts.length} >>`,
    ...pages,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let document = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = document.length;
    document += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = document.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  document += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return new Uint8Array(Buffer.from(document, "latin1"));
}
