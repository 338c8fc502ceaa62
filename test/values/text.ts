/** Texts that properties of several packages draw. */
import fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

function codePointAt(position: number): string {
  return String.fromCodePoint(position < FIRST_SURROGATE ? position : position + SURROGATES);
}

function positionOf(text: unknown): number {
  const code = typeof text === "string" ? (text.codePointAt(0) ?? 0) : 0;
  const position = code < FIRST_SURROGATE ? code : code - SURROGATES;
  if (codePointAt(position) !== text) throw new Error("this is not one code point");
  return position;
}

/**
 * Any code point but surrogates, as a `unit` of `fc.string`: what its `"binary"` draws, value for value, without the table of
 * all of them that it makes in every process, which takes a second and stays in memory.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: 0x10_ffff - SURROGATES }).map(codePointAt, positionOf);

/** Addresses of the web whose paths are of such text: `fc.webUrl` makes the same table. */
export const webUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.webAuthority(),
    fc.array(fc.string({ unit: codePoint }).map(encodeURIComponent)),
  )
  .map(([scheme, authority, path]) => [`${scheme}://${authority}`, ...path].join("/"));
