/** Any number from 0 up to, not including, 1. */
export type Random = () => number;

/** A cron pattern that often names the hours in which clocks change. */
export function randomPattern(random: Random): string {
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const item = (least: number, most: number): string => {
    const kind = random();
    if (kind < 0.5) return String(whole(least, most));
    const [from, other] = [whole(least, most), whole(least, most)];
    const range = from <= other ? `${from}-${other}` : `${other}-${from}`;
    return kind < 0.8 ? range : `${range}/${whole(1, 9)}`;
  };
  const field = (least: number, most: number, anyShare: number): string => {
    const kind = random();
    if (kind < anyShare) return "*";
    if (kind < anyShare + 0.15) return `*/${whole(1, most)}`;
    return Array.from({ length: whole(1, 3) }, () => item(least, most)).join(",");
  };
  const hour = random() < 0.6 ? field(0, 4, 0.2) : field(0, 23, 0.3);
  const named = random() < 0.2 ? ["MON-FRI", "sun,WED", "SAT"][whole(0, 2)]! : field(0, 7, 0.6);
  return [field(0, 59, 0.2), hour, field(1, 31, 0.7), random() < 0.1 ? "MAR-oct/7" : field(1, 12, 0.8), named].join(
    " ",
  );
}
