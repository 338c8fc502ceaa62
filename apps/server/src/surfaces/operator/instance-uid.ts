/** Reads the store's name once. While it cannot be read it is blank: the status never fails. */
export function instanceUid(read: () => Promise<string>): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    try {
      known ??= await read();
    } catch {
      return "";
    }
    return known;
  };
}
