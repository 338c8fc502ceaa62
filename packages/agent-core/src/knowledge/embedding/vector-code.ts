/** Vectors as they are stored and compared. Pure functions; all of a model have the same number of numbers. */

/** A vector of length 1, in two forms. */
export interface VectorCode {
  /** A bit for each number: above the mean or not. A multiple of four bytes. */
  readonly signs: Uint8Array;
  /** A float32 scale, then an int8 for each number. */
  readonly full: Uint8Array;
}

const SCALE_BYTES = 4;
const MOST = 127;

/** With length 1; undefined: it is zero, or holds something that is no number. */
export function unitVector(numbers: ArrayLike<number>): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < numbers.length; i++) squares += (numbers[i] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Float32Array.from(numbers, (number) => number / length);
}

/** What vectors have in common. */
export function meanOf(units: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(units[0]?.length ?? 0);
  for (const unit of units) for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (unit[i] ?? 0);
  return mean.map((sum) => sum / units.length);
}

export function encodeVector(unit: Float32Array, mean: Float32Array): VectorCode {
  return { signs: signsOf(unit, mean), full: fullOf(unit) };
}

export function signsOf(unit: Float32Array, mean: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(unit.length / 32) * 4);
  for (let i = 0; i < unit.length; i++) {
    const byte = i >> 3;
    if ((unit[i] ?? 0) > (mean[i] ?? 0)) signs[byte] = (signs[byte] ?? 0) | (1 << (i & 7));
  }
  return signs;
}

function fullOf(unit: Float32Array): Uint8Array {
  const largest = unit.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  const scale = Math.fround(largest / MOST);
  const full = new Uint8Array(SCALE_BYTES + unit.length);
  new DataView(full.buffer).setFloat32(0, scale, true);
  const numbers = new Int8Array(full.buffer, SCALE_BYTES);
  for (let i = 0; i < unit.length; i++) numbers[i] = Math.round((unit[i] ?? 0) / scale);
  return full;
}

/** The cosine of a vector and a stored one, about; 0 where their sizes differ. */
export function cosineOf(unit: Float32Array, full: Uint8Array): number {
  if (full.length !== SCALE_BYTES + unit.length) return 0;
  const numbers = new Int8Array(full.buffer, full.byteOffset + SCALE_BYTES, unit.length);
  let sum = 0;
  for (let i = 0; i < unit.length; i++) sum += (unit[i] ?? 0) * (numbers[i] ?? 0);
  return sum * new DataView(full.buffer, full.byteOffset, SCALE_BYTES).getFloat32(0, true);
}

/** The cosine of two vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
