/** Days in a search: a text may write the same day in another way. */

const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTH = MONTHS.map((name) => (name === "may" ? name : `${name.slice(0, 3)}(?:${name.slice(3)})?`)).join("|");
const ORDINAL = "(?:st|nd|rd|th)?";
const YEAR = "(?:,?\\s+(?<year>\\d{4}))?";

/** `2026-03-14`, `14.03.2026`, `14 March 2026`, `March 14th, 2026`; a year need not stand beside a month's name. */
const FORMS = [
  /\b(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})\b/giu,
  /\b(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})\b/giu,
  new RegExp(`\\b(?<day>\\d{1,2})${ORDINAL}\\s+(?:of\\s+)?(?<name>${MONTH})\\b${YEAR}`, "giu"),
  new RegExp(`\\b(?<name>${MONTH})\\s+(?<day>\\d{1,2})${ORDINAL}\\b${YEAR}`, "giu"),
];

/** The days of a text as queries of the index, each in all its forms, and the text without them. */
export function takeDates(text: string): { readonly terms: readonly string[]; readonly rest: string } {
  const terms: string[] = [];
  let rest = text;
  for (const form of FORMS)
    rest = rest.replaceAll(form, (found, ...more) => {
      const { year, month, name = "", day } = more.at(-1) as { readonly [group: string]: string | undefined };
      const place = month === undefined ? monthOf(name) : Number(month);
      const term = termOf(year, place, Number(day));
      if (term === undefined) return found;
      terms.push(term);
      return " ";
    });
  return { terms, rest };
}

function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase())) + 1;
}

function termOf(year: string | undefined, month: number, day: number): string | undefined {
  const name = MONTHS[month - 1];
  if (name === undefined || day < 1 || day > 31) return undefined;
  const two = (number: number): string => String(number).padStart(2, "0");
  const suffix = day % 10 > 3 || day % 10 === 0 || (day > 10 && day < 14) ? "th" : ["st", "nd", "rd"][(day % 10) - 1];
  const behind = year === undefined ? "" : ` ${year}`;
  const words = [name, name.slice(0, 3)].flatMap((word) =>
    [String(day), `${day}${suffix}`].flatMap((number) => [`${number} ${word}${behind}`, `${word} ${number}${behind}`]),
  );
  const numbers = year === undefined ? [] : [`${year} ${two(month)} ${two(day)}`, `${two(day)} ${two(month)} ${year}`];
  return `(${[...new Set([...numbers, ...words])].map((phrase) => `"${phrase}"`).join(" OR ")})`;
}
