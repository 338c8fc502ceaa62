/** Ways to write an IPv4 address in a URL, and addresses of IPv6 that carry one. Written apart from the guard's code. */

type Bytes = readonly [number, number, number, number];

function bytesOf(dotted: string): Bytes {
  return dotted.split(".").map(Number) as unknown as Bytes;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** `7f00:0001`, the bits flipped for Teredo. */
function words(bytes: Bytes, flip = 0): string {
  const [a, b, c, d] = bytes.map((byte) => byte ^ flip) as unknown as Bytes;
  return `${hex(a * 256 + b, 4)}:${hex(c * 256 + d, 4)}`;
}

/** Hosts that every WHATWG parser reads as this address: decimal, octal, hexadecimal, short, full-width and so on. */
export function spellingsOf(dotted: string): readonly string[] {
  const bytes = bytesOf(dotted);
  const [a, b, c, d] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const fullWidth = [...dotted].map((sign) =>
    sign === "." ? sign : String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0),
  );
  return [
    dotted,
    `${dotted}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0X${hex(whole, 8).toUpperCase()}`,
    `0${whole.toString(8)}`,
    bytes.map((byte) => `0${byte.toString(8)}`).join("."),
    bytes.map((byte) => `000${byte.toString(8)}`).join("."),
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    fullWidth.join(""),
    dotted.replaceAll(".", "。"),
    dotted.replaceAll(".", "%2e"),
    [...dotted].map((sign) => `%${hex(sign.codePointAt(0) ?? 0, 2)}`).join(""),
  ];
}

/** IPv6 addresses that never count as public, whatever IPv4 address they carry (W3). */
export function wrappersOf(dotted: string): readonly string[] {
  const bytes = bytesOf(dotted);
  return [
    `::ffff:${dotted}`,
    `::ffff:${words(bytes)}`,
    `0:0:0:0:0:ffff:${words(bytes)}`,
    `::${dotted}`,
    `::ffff:0:${dotted}`,
    `64:ff9b::${dotted}`,
    `64:ff9b:1::${dotted}`,
    `2002:${words(bytes)}::1`,
    `2001:0:4136:e378:8000:63bf:${words(bytes, 0xff)}`,
  ];
}

/** IPv6 addresses that are as public as the IPv4 address they carry. */
export function isatapOf(dotted: string): readonly string[] {
  return [`2a01:4f8:c17::5efe:${dotted}`, `2a01:4f8:c17::200:5efe:${dotted}`];
}
