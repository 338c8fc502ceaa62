/** Notes that are alike but for their names and numbers, as the papers of an office are: made from patterns. */
import type { Collection, Note, Question } from "./note.ts";
import { type Seeded, seeded } from "./seeded.ts";

const PEOPLE = ["Ines", "Oskar", "Piet", "Marta", "Noor", "Henrike"];
const CAUSES = [
  "the certificate had run out",
  "the disk was full of old logs",
  "a clock ran four minutes late",
  "two jobs wrote the same file",
  "the queue had grown to 9,000 entries",
  "a cable was loose behind the switch",
  "the new firewall rule came before the old one",
  "the cache still held the former price list",
];
const REMEDIES = [
  "restarted the service and raised its limit",
  "deleted what was older than thirty days",
  "went back to the version before",
  "moved the job to the night",
  "added a check to the runbook",
  "changed the cable and marked the port",
];
const SYSTEMS = ["web shop", "till", "stock list", "mail gateway", "label printer", "booking calendar"];
const CODES = ["ERR_42", "E_CONN", "TLS_7", "ERR_PAY", "DB-LOCK", "HTTP_504"];
const FIRMS = [
  "Velora",
  "Nordrad",
  "Castello Tubes",
  "Blitz Courier",
  "Hanse Tools",
  "Gummi Weber",
  "Lumen Lamps",
  "Fox & Sons",
];
const GOODS = ["inner tubes", "brake pads", "bar tape", "cargo straps", "lamps", "saddles", "bearings", "chain oil"];
const TASKS = [
  "trued the wheels of the school's order",
  "wrote the texts for the spring sale",
  "counted the saddles in the cellar",
  "called the customer with the bent fork",
  "prepared the stand for the trade fair",
  "cleaned the parts washer",
  "tested the new booking calendar",
  "answered forty mails about delivery",
  "set up the second till",
  "drove the cargo bicycles to the island",
  "repainted the sign at the gate",
  "trained Noor on disc brakes",
];
const PLACES = ["cellar, shelf", "workshop, drawer", "office, cabinet", "van, box", "attic, crate"];
const DEVICES = [
  "label printer",
  "card reader",
  "router",
  "tablet at the counter",
  "camera at the gate",
  "torque wrench",
];
const MONTHS = ["January", "February", "March", "April", "May", "June"];

/** Which of the notes of each pattern are asked about: every seventh. */
const ASKED = 7;

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function noteOf(key: string, content: string, day: string): Note {
  return { key, domain: "work", subject: "", content, session: `office-${day}`, day };
}

interface Pattern {
  readonly notes: readonly Note[];
  readonly questions: readonly Question[];
}

/** Codes that differ in one letter: `ERR_42-a` to `ERR_42-j`. */
function incidents({ one, below }: Seeded): Pattern {
  const notes: Note[] = [];
  const questions: Question[] = [];
  for (let at = 0; at < 56; at++) {
    const code = `${CODES[at % CODES.length]}-${"abcdefghij"[Math.floor(at / CODES.length)]}`;
    const ticket = `OPS-${4_100 + at}`;
    const host = `srv-${one(["web", "db", "mail"])}-${two(1 + (at % 7))}`;
    const day = `2026-0${1 + (at % 6)}-${two(1 + below(28))}`;
    const key = `incident ${at}`;
    const content = `${ticket}: the ${one(SYSTEMS)} answered ${code} on ${host} because ${one(CAUSES)}. ${one(PEOPLE)} ${one(REMEDIES)}.`;
    notes.push(noteOf(key, content, day));
    const ask = at % 2 === 0 ? `What was the reason of ${code}?` : `Who worked on ${ticket}, and what was done?`;
    if (at % ASKED === 0) questions.push({ class: "identifier", text: ask, answers: [key] });
  }
  return { notes, questions };
}

function invoices({ one, below }: Seeded): Pattern {
  const notes: Note[] = [];
  const questions: Question[] = [];
  for (let at = 0; at < 42; at++) {
    const number = `R${2026}-${String(317 + at * 11).padStart(4, "0")}`;
    const article = `KX-${400 + at}.${1 + (at % 4)}${"abc"[at % 3]}`;
    const day = `2026-0${1 + (at % 6)}-${two(1 + below(28))}`;
    const key = `invoice ${at}`;
    const content = `Invoice ${number} of ${one(FIRMS)}: ${20 + below(180)} ${one(GOODS)}, article ${article}, ${90 + below(2_000)} euros, due within ${one([14, 30])} days.`;
    notes.push(noteOf(key, content, day));
    const ask = at % 2 === 0 ? `Which firm sent invoice ${number}?` : `How much was article ${article}?`;
    if (at % ASKED === 0) questions.push({ class: "identifier", text: ask, answers: [key] });
  }
  return { notes, questions };
}

/** Asked as the note writes its day, and as people say it. */
function standUps({ shuffled, one }: Seeded): Pattern {
  const notes: Note[] = [];
  const questions: Question[] = [];
  for (let at = 0; at < 60; at++) {
    const [month, date] = [1 + Math.floor(at / 10), 1 + 2 * (at % 10) + (at % 3)];
    const day = `2026-${two(month)}-${two(date)}`;
    const [first, second] = shuffled(PEOPLE);
    const [did, planned] = shuffled(TASKS);
    const key = `stand-up ${at}`;
    const isWritten = at % 12 !== 11;
    const spoken = `${date} ${MONTHS[month - 1]} 2026`;
    const head = isWritten ? `Stand-up ${(at >> 2) % 2 === 0 ? day : spoken}: ` : "Stand-up: ";
    notes.push(
      noteOf(
        key,
        `${head}${first} ${did}; ${second} ${planned}. ${one(["No blockers.", "Waiting for parts.", "Rain, few customers."])}`,
        day,
      ),
    );
    const asked = [day, spoken, `${MONTHS[month - 1]} ${date}, 2026`][(at >> 2) % 3];
    if (at % 4 === 3)
      questions.push({ class: "time", text: `What was said in the stand-up of ${asked}?`, answers: [key] });
  }
  return { notes, questions };
}

function devices({ one, below }: Seeded): Pattern {
  const notes: Note[] = [];
  const questions: Question[] = [];
  for (let at = 0; at < 42; at++) {
    const serial = `SN${one(["A", "B", "C"])}${7_000 + at * 13}-${two(below(90))}`;
    const address = `10.20.${3 + (at % 4)}.${10 + at}`;
    const key = `device ${at}`;
    const content = `The ${one(DEVICES)} with the serial number ${serial} (${address}, firmware v${1 + (at % 3)}.${at}.${below(9)}) lies in the ${one(PLACES)} ${1 + below(9)}.`;
    notes.push(noteOf(key, content, `2026-0${1 + (at % 6)}-${two(1 + below(28))}`));
    const ask = at % 2 === 0 ? `Where is ${serial}?` : `Which device has the address ${address}?`;
    if (at % ASKED === 0) questions.push({ class: "identifier", text: ask, answers: [key] });
  }
  return { notes, questions };
}

/** The same for the same seed. */
export function generatedNotes(seed: number): Collection {
  const numbers = seeded(seed);
  const all = [incidents(numbers), invoices(numbers), standUps(numbers), devices(numbers)];
  return { notes: all.flatMap(({ notes }) => notes), questions: all.flatMap(({ questions }) => questions) };
}
