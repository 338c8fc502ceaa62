/** One bound as a test found it: `task.meta.bounds` of that test. Nobody reads it but `pnpm bounds`. */
export interface ReportedBound {
  /** What is bounded. */
  readonly what: string;
  readonly found: number;
  readonly unit: string;
  /** The most it may be. */
  readonly most?: number;
  /** The least it may be. */
  readonly least?: number;
}

declare module "vitest" {
  interface TaskMeta {
    bounds?: readonly ReportedBound[];
  }
}

/** The environment variable with the path for what the tests of a run reported. */
export const boundsFileVariable = "BOUNDS_FILE";
