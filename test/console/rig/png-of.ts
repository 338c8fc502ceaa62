import { crc32, deflateSync } from "node:zlib";

/** A PNG of one colour. */
export function pngOf(width: number, height: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const line = [0, ...Array.from({ length: width }, () => [red, green, blue]).flat()];
  const pixels = Buffer.concat(Array.from({ length: height }, () => Buffer.from(line)));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits, RGB.
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const end = chunk("IEND", Buffer.alloc(0));
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(pixels)), end]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
