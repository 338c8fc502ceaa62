/**
 * Makes something of settings, and again when one of `parts` is not the same any more. With live settings a part keeps
 * its identity while nothing in it changes, so what was made, such as a guard or a card, lives that long.
 */
export function derive<TParts extends unknown[], T>(
  parts: () => [...TParts],
  make: (...parts: NoInfer<TParts>) => T,
): () => T {
  let last: { readonly parts: [...TParts]; readonly made: T } | undefined;
  return () => {
    const now = parts();
    if (last === undefined || last.parts.some((part, index) => part !== now[index]))
      last = { parts: now, made: make(...now) };
    return last.made;
  };
}
