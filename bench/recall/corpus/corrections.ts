import type { Collection } from "./note.ts";

/** What stood at a subject, what it was corrected to, and what is asked. */
const CORRECTED: readonly (readonly [subject: string, before: string, after: string, question: string])[] = [
  [
    "coffee",
    "Drinks coffee black, without sugar.",
    "Drinks coffee with oat milk since the new year.",
    "I am ordering for all of us now, how do I drink my coffee?",
  ],
  [
    "accountant",
    "The accountant is Mr Brandt in Harbour Road.",
    "The accountant is Ms Yilmaz, two doors down from the old one.",
    "I have to send the papers off today. Who is our accountant?",
  ],
  [
    "wifi of the guests",
    "The guests' network is called Pedal and has no password.",
    "The guests' network is called Pedal-2; its password hangs at the counter.",
    "What is the guests' network called?",
  ],
  [
    "opening hours",
    "The shop is open from nine to six, Saturdays until one.",
    "The shop is open from ten to seven, Saturdays until four.",
    "When is the shop open on Saturdays?",
  ],
  [
    "lead time of frames",
    "Steel frames take four weeks from the maker in Turin.",
    "Steel frames take nine weeks, the maker in Turin lost two welders.",
    "How many weeks do steel frames take?",
  ],
  [
    "deploy day",
    "The web shop is updated on Fridays in the afternoon.",
    "The web shop is updated on Tuesdays in the morning, never before a weekend.",
    "On which day is the web shop updated?",
  ],
  [
    "phone of Marta",
    "Marta's number ends in 4417.",
    "Marta's number ends in 9082, the old one was lost.",
    "What does Marta's number end in?",
  ],
  [
    "database of the shop",
    "The shop's orders lie in a MySQL database.",
    "The shop's orders lie in PostgreSQL since the move in spring.",
    "In which database do the shop's orders lie?",
  ],
  [
    "team meeting",
    "The team meets on Mondays at nine in the kitchen.",
    "The team meets on Thursdays at half past eight in the courtyard room.",
    "When does the team meet?",
  ],
  [
    "hourly rate",
    "An hour of work costs 58 euros.",
    "An hour of work costs 64 euros from April on.",
    "What does an hour of work cost?",
  ],
  [
    "Lena's school",
    "Lena goes to the primary school on the hill.",
    "Lena goes to the comprehensive school at the river.",
    "To which school does Lena go?",
  ],
  [
    "doctor of the family",
    "The family doctor is Doctor Sommer.",
    "The family doctor is Doctor Ngata, who took over the practice.",
    "Who is the family doctor?",
  ],
  [
    "chain oil",
    "Chains are oiled with the dry wax from Leeds.",
    "Chains are oiled with the thin oil from Gent; the wax squeaked.",
    "With what are chains oiled?",
  ],
  [
    "running shoes",
    "Runs in size 43 of the blue make.",
    "Runs in size 44 since the injury, of the grey make.",
    "In which size of shoes do I run?",
  ],
  [
    "car insurance",
    "The van is insured with the Nordic for 610 euros a year.",
    "The van is insured with the Hanse for 540 euros a year.",
    "With whom is the van insured?",
  ],
];

export const corrections: Collection = {
  notes: CORRECTED.flatMap(([subject, before, after], at) => [
    {
      ...{ key: `corrected ${at} before`, domain: "fact", subject, content: before },
      ...{ session: `early-${at}`, day: "2026-01-05", isCorrected: true as const },
    },
    { key: `corrected ${at}`, domain: "fact", subject, content: after, session: `later-${at}`, day: "2026-05-11" },
  ]),
  questions: CORRECTED.map(([, , , text], at) => ({ class: "correction", text, answers: [`corrected ${at}`] })),
};
