/** Memories whose text says which process wrote which version, and that it is whole. */

/** A memory's text: each of its words bears the version. */
export function memoryText(name: string, writer: number, version: number): string {
  const words = Array.from({ length: 20 + (version % 40) }, (_, i) => `w${i}x${writer}x${version}`);
  return `${name} of ${writer}/${version}: ${words.join(" ")}.`;
}

/** Which memory it is, who wrote it, and which version; undefined: it says none. */
export function memoryVersionOf(
  text: string,
): { readonly name: string; readonly writer: number; readonly version: number } | undefined {
  const [, name, writer, version] = /^(\S+) of (\d+)\/(\d+):/.exec(text) ?? [];
  return name === undefined ? undefined : { name, writer: Number(writer), version: Number(version) };
}

/** What is wrong with it; undefined: it is whole, and of one version. */
export function memoryFaultOf(text: string): string | undefined {
  const found = memoryVersionOf(text);
  if (found === undefined) return `a memory has no version: ${text.slice(0, 80)}`;
  const whole = memoryText(found.name, found.writer, found.version);
  return text === whole ? undefined : `${found.name} is not whole: ${text.slice(-80)}`;
}
