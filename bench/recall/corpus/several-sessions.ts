import type { Collection } from "./note.ts";

/** What was said in several conversations and has to be put together, and what is asked. */
const THREADS: readonly (readonly [question: string, ...said: readonly string[]])[] = [
  [
    "What do we know about the leak in the roof?",
    "The roof leaks above the third stand whenever the wind comes from the west.",
    "The roofer looked at the leak: two tiles are cracked, and the gutter is full of moss.",
    "The landlord pays for the roof, but not for the ceiling under the leak.",
  ],
  [
    "What has been arranged for the summer party?",
    "For the summer party the courtyard is ours from five to eleven; the neighbours were asked.",
    "The band for the summer party wants 300 euros and needs two sockets.",
    "Henrike brings the grill to the summer party, somebody has to bring charcoal.",
  ],
  [
    "What did the school order for its cycle project?",
    "The school of Mr Adebayo orders twelve bicycles for its cycle project, all in 24 inches.",
    "For the cycle project of the school we add twelve locks and helmets at cost.",
  ],
  [
    "Which problems did the new till have?",
    "The new till printed no tax number on its first day.",
    "The new till forgets the discount when two articles are scanned quickly.",
    "The drawer of the new till opens only when the printer is on.",
  ],
  [
    "What is planned for the website's relaunch?",
    "The relaunch of the website is planned for the first of September, without the blog.",
    "For the relaunch of the website Oskar writes the texts and a student takes the pictures.",
  ],
  [
    "What did we hear about the Turin maker?",
    "The maker in Turin changes its paint to powder coating, and offers eleven colours.",
    "The maker in Turin wants payment in advance for orders above five frames.",
    "Piet visited the Turin maker: clean workshop, two people ill.",
  ],
  [
    "How is the apprentice Noor doing?",
    "Noor trues wheels faster than anybody after six weeks as apprentice.",
    "The apprentice Noor asked for Fridays off, since the vocational school moved its day.",
    "Noor wants to stay after the time as apprentice and learn frame building.",
  ],
  [
    "What is known about the stolen cargo bicycle?",
    "The yellow cargo bicycle was stolen on the night to Sunday in front of the kiosk.",
    "The police found the lock of the stolen cargo bicycle by the canal.",
    "The insurance pays 80 percent for the stolen cargo bicycle.",
  ],
  [
    "What was said about the heating in the choir's church?",
    "The heating of the church will be replaced, so the choir moves out until Easter.",
    "The parish collects for the heating of the church, 14,000 euros are missing.",
  ],
  [
    "What do we know about the hut at the lake?",
    "The key of the hut at the lake hangs at the farm, ask for Aino.",
    "At the hut by the lake the boat leaks; bring a bucket and tar.",
  ],
  [
    "What did Samira's parents say about the party?",
    "Samira's parents bring the cake for the party and ask for no nuts.",
    "For the party Samira's parents can drive four children home.",
  ],
  [
    "What are the terms with the courier Blitz?",
    "The courier Blitz takes bicycles up to 30 kilos and wants them without pedals.",
    "The courier Blitz charges 12 euros a box and nothing for returns.",
  ],
  [
    "What is left to do for the trade fair?",
    "For the trade fair the banner has to be printed by the tenth, 2 by 3 metres.",
    "For the trade fair somebody has to book two rooms in Friedrichshafen.",
    "The trade fair wants the list of exhibits in English.",
  ],
  [
    "What did the luthier find out about the cello?",
    "The luthier says the cello is from Mittenwald, about 1890, with a new scroll.",
    "The luthier would insure the cello for 9,000 euros.",
  ],
  [
    "Which wishes does Grandmother have for her birthday?",
    "For her birthday Grandmother wishes for the choir to sing the evening song.",
    "Grandmother's wish for the birthday: everybody sits at one table, in the garden if it is dry.",
  ],
];

export const severalSessions: Collection = {
  notes: THREADS.flatMap(([, ...said], thread) =>
    said.map((content, at) => ({
      ...{ key: `thread ${thread} ${at}`, domain: "general", subject: "", content },
      ...{ session: `thread-${thread}-${at}`, day: `2026-0${2 + at}-${String(10 + thread)}` },
    })),
  ),
  questions: THREADS.map(([text, ...said], thread) => ({
    class: "several sessions",
    text,
    answers: said.map((_, at) => `thread ${thread} ${at}`),
  })),
};
