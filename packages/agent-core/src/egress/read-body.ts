import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { EgressError } from "./egress-error.ts";

export interface BodyBounds {
  readonly maxBytes: number;
  readonly overflow: "refuse" | "cut";
}

const DECODERS: { readonly [encoding: string]: () => NodeJS.ReadWriteStream & Readable } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What `readBody` can decode, for `accept-encoding`. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** Codes of node:zlib: `Z_DATA_ERROR` of zlib, and of Brotli such as `ERR__ERROR_FORMAT_PADDING_2`. */
const DECODER_ERROR = /^(?:Z_|ERR_BROTLI_|ERR__)/;

/** The body without its content encoding. @throws EgressError `egress.bad-answer` */
export function decoded(answer: IncomingMessage): Readable {
  const encoding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const isEmpty = answer.headers["content-length"] === "0" || answer.statusCode === 204 || answer.statusCode === 304;
  if (encoding === "identity" || encoding === "" || isEmpty) return answer;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (decoder === undefined) throw new EgressError("egress.bad-answer", "the answer has an unknown content encoding");
  // The reader below sees what goes wrong on either side.
  return pipeline(answer, decoder(), () => {}) as Readable;
}

/**
 * Reads a body up to its bound; what comes after it is never read, so neither an endless answer nor a decompression
 * bomb costs more than the bound. @throws EgressError `egress.body-too-large`, `egress.bad-answer`
 */
export async function readBody(
  answer: IncomingMessage,
  { maxBytes, overflow }: BodyBounds,
): Promise<{ readonly body: Uint8Array; readonly cut: boolean }> {
  const declared = Number(answer.headers["content-length"] ?? 0);
  const tooLarge = (): EgressError =>
    new EgressError("egress.body-too-large", `the answer is larger than ${maxBytes} bytes`);
  if (overflow === "refuse" && declared > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded(answer) as AsyncIterable<Uint8Array>) {
      const room = maxBytes - size;
      if (chunk.length > room) {
        if (overflow === "refuse") throw tooLarge();
        chunks.push(chunk.subarray(0, room));
        return { body: Buffer.concat(chunks), cut: true };
      }
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (error) {
    if (!DECODER_ERROR.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new EgressError("egress.bad-answer", "the answer cannot be decompressed");
  }
  return { body: Buffer.concat(chunks), cut: false };
}
