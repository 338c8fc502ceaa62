/** Where the commons are, and how memories stand to them (K26). */
export interface CommonsPlace {
  /** The folder that is read; blank: none. */
  readonly folder: string;
  /** Memories are those of the commons, and written there; else they are read beside the own ones. */
  readonly isShared: boolean;
}

/** No commons. */
export const NO_COMMONS: CommonsPlace = { folder: "", isShared: false };
