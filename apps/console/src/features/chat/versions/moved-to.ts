/** The turn that a person went to in another version of the conversation, until its page shows it. */
let moved: string | undefined;

/** Notes where the page that comes next begins. */
export function moveTo(task: string): void {
  moved = task;
}

/** Where this page begins; undefined: at its end. */
export function movedTo(): string | undefined {
  return moved;
}

/** True once, for the turn that the person went to. */
export function arriveAt(task: string): boolean {
  if (moved !== task) return false;
  moved = undefined;
  return true;
}
