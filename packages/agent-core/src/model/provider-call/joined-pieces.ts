/** The pieces of a body as one buffer: what was kept as bytes is copied, not encoded again. */
export function joinedPieces(pieces: readonly (string | Buffer)[]): Buffer {
  const size = (piece: string | Buffer): number =>
    typeof piece === "string" ? Buffer.byteLength(piece) : piece.length;
  const body = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + size(piece), 0));
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") at += body.write(piece, at);
    else at += piece.copy(body, at);
  }
  return body;
}
