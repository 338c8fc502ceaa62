/** Runs what it is given one after the other: whether a name is free is decided on what was saved before. */
export function createOneAtATime(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act, act);
    last = next.catch(() => {});
    return next;
  };
}
