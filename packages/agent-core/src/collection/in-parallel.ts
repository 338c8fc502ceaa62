/** Does something for each item, at most `atATime` at a time, begun in order; the results stand in that order too. */
export async function inParallel<T, R>(
  items: readonly T[],
  atATime: number,
  run: (item: T, position: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let position = next++; position < items.length; position = next++) {
      results[position] = await run(items[position]!, position);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, work));
  return results;
}
