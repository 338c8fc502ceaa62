/** One result of the doctor. */
export interface Finding {
  /** `warning`: it works, with a remark. */
  readonly state: "ok" | "warning" | "failure";
  /** What was checked, as one word. */
  readonly about: string;
  readonly text: string;
  readonly remedy?: string;
}

export type ReportFinding = (finding: Finding) => void;
