/** One thing the doctor looked at. */
export interface Finding {
  /** `warning`: it works, and somebody should know. */
  readonly state: "ok" | "warning" | "failure";
  /** One word: what was looked at. */
  readonly about: string;
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Takes findings as they are made. */
export type Tell = (finding: Finding) => void;
