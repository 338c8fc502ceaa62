/** The turn that a person goes to in another version of the conversation, until its page shows it. */
export interface MovedTo {
  /** Notes where the page that comes next begins. */
  moveTo(task: string): void;
  /** Where this page begins; undefined: at its end. */
  movedTo(): string | undefined;
  /** True once, for the turn that the person went to. */
  arriveAt(task: string): boolean;
}

/** Creates it; it lasts as long as the page. */
export function createMovedTo(): MovedTo {
  let moved: string | undefined;
  return {
    moveTo(task) {
      moved = task;
    },
    movedTo: () => moved,
    arriveAt(task) {
      if (moved !== task) return false;
      moved = undefined;
      return true;
    },
  };
}
