/** How far the search by meaning is. */
export interface VectorState {
  /** Chunks without a vector of the current model. */
  readonly waiting: number;
  /** Numbers of its vectors; undefined: it was not measured yet, or is off. */
  readonly dimensions: number | undefined;
}
