import { crc32, deflateSync } from "node:zlib";

function part(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of one colour, `rrggbb`. */
export function square(colour: string, size = 64): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits a channel, three channels.
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: size }, () => Buffer.from(colour, "hex"))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, part("IHDR", header), part("IDAT", pixels), part("IEND", Buffer.alloc(0))]);
}
