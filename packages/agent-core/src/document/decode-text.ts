import { TextDecoder } from "node:util";

function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

/** Text of a body: by its byte order mark, else the declared charset, else that of an HTML `meta`, else UTF-8. */
export function decodeText(body: Uint8Array, contentType: string | undefined): string {
  const declared = /;\s*charset\s*=\s*"?([\w.:+-]+)/i.exec(contentType ?? "")?.[1];
  const start = Buffer.from(body.subarray(0, 2_048)).toString("latin1");
  const meta = /<meta[^>]+charset\s*=\s*["']?([\w.:+-]+)/i.exec(start)?.[1];
  const decoder = [byMark(body), declared, meta].map(decoderFor).find((found) => found !== undefined);
  return (decoder ?? new TextDecoder()).decode(body);
}
