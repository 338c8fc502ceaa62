const LABELS: Readonly<Record<string, string>> = {
  none: "None",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Extra high",
  max: "Maximum",
};

/** A reasoning effort as people read it. */
export function effortLabel(effort: string): string {
  return LABELS[effort] ?? effort;
}
