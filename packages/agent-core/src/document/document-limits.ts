const MIB = 1024 * 1024;

/** Bounds of documents (EN10). */
export const DOCUMENT_LIMITS = Object.freeze({
  bytes: 32 * MIB,
  /** Pieces of one document. */
  pieces: 20_000,
  /** Characters of a piece, and those of the one before that it begins with. */
  pieceChars: 1_200,
  overlapChars: 150,
  headingChars: 200,
  /** Characters that are given of its start. */
  openingChars: 10_000,
  titleChars: 200,
  /** What an archive may unpack to, how much of it for each byte of the archive, and its entries. */
  unpackedBytes: 256 * MIB,
  unpackedRatio: 200,
  entries: 10_000,
  /** Milliseconds until a document is read. */
  readMs: 120_000,
});
