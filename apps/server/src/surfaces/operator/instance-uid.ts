/** Reads the store's id once. It is blank while it cannot be read, as the status never fails. */
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
