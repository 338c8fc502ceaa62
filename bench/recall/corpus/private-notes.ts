import { collected } from "./note.ts";

/** Notes of somebody's life outside of work. */
export const privateNotes = collected("private", [
  { domain: "preferences", day: "2026-01-08", text: "Likes window seats on trains and aisle seats on planes." },
  {
    domain: "preferences",
    day: "2026-01-11",
    text: "Wants summaries as bullet points of at most one line, and never a closing paragraph.",
    exact: "How do I want summaries?",
  },
  {
    domain: "preferences",
    day: "2026-01-14",
    text: "Does not eat mushrooms or celery, everything else is fine; garlic is welcome.",
  },
  {
    domain: "preferences",
    day: "2026-01-18",
    text: "Reads on paper in the evening and wants longer texts as a file to print.",
  },
  {
    domain: "health",
    day: "2026-01-22",
    text: "The physician recommends thirty minutes of walking after lunch against the back pain.",
    paraphrase: "What does my doctor advise for my spine?",
  },
  {
    domain: "health",
    day: "2026-01-28",
    text: "Allergic to penicillin since childhood; the emergency card is in the purse.",
    exact: "Since when am I allergic to penicillin?",
  },
  {
    domain: "health",
    day: "2026-02-04",
    text: "The dentist's next free Friday is in seven weeks. Ask for Doctor Amsel, who also treats the children.",
  },
  {
    domain: "home",
    day: "2026-02-07",
    text: "The boiler shows fault F4 when its pressure falls under one bar; fill it up with the tap under the sink.",
    paraphrase: "The heater has an error, how do I deal with it?",
  },
  {
    domain: "home",
    day: "2026-02-08",
    text: "The neighbour on the second floor, Mrs Okafor, takes parcels and has our spare key.",
  },
  {
    domain: "home",
    day: "2026-02-14",
    text: "The house was painted in 2019. The colour of the shutters is RAL 6011, reseda green.",
    exact: "Which colour have the shutters?",
  },
  {
    domain: "home",
    day: "2026-02-15",
    text: "The washing machine's filter is behind the lower flap; put a towel under it before it is opened.",
    exact: "Where is the filter of the washing machine?",
  },
  {
    domain: "home",
    day: "2026-02-21",
    text: "Our dwelling has 84 square metres, without the cellar; the contract says 91.",
    paraphrase: "How large is the house?",
  },
  {
    domain: "home",
    day: "2026-02-22",
    text: "Bulky waste is collected twice a year on request; the next date is the fourth of May.",
  },
  {
    domain: "home",
    day: "2026-02-27",
    text: "The hedge may be cut only until the end of February, because of the birds.",
  },
  {
    domain: "garden",
    day: "2026-03-01",
    text: "Tomatoes were sown on the windowsill; the Andean horn came up after nine days.",
    exact: "After how many days did the Andean horn come up?",
  },
  { domain: "garden", day: "2026-03-07", text: "The compost behind the shed needs more dry leaves, it smells sour." },
  {
    domain: "garden",
    day: "2026-03-08",
    text: "Hydrangeas are watered with rain water only, lime makes their leaves yellow.",
  },
  {
    domain: "garden",
    day: "2026-03-15",
    text: "The neighbour's cat digs up the bulbs. Coffee grounds kept it away for two weeks.",
  },
  {
    domain: "family",
    day: "2026-03-21",
    text: "Grandmother turns ninety on the eleventh of July and wants no speeches, only the choir.",
    exact: "What does Grandmother want when she turns ninety?",
  },
  {
    domain: "family",
    day: "2026-03-22",
    text: "Jonas has swimming lessons on Wednesdays at four; the locker takes a two-euro coin.",
  },
  {
    domain: "family",
    day: "2026-03-28",
    text: "Lena's school closes for two days in June for a conference of its teachers.",
    paraphrase: "Why is the school shut, some sort of meeting?",
  },
  {
    domain: "family",
    day: "2026-03-29",
    text: "Uncle Tobias lends us his trailer for the summer vacation if we bring back a crate of olive oil.",
    paraphrase: "What must we bring from our holiday in return for the loan?",
  },
  {
    domain: "family",
    day: "2026-04-04",
    text: "Mother's new telephone has large keys, and the volume is set with the wheel on its left side.",
  },
  {
    domain: "family",
    day: "2026-04-05",
    text: "The twins share a birthday party with Samira, at the climbing hall, eight children at most.",
  },
  {
    domain: "travel",
    day: "2026-04-10",
    text: "The ferry to Gotland must be booked by the end of May; cabins with a window are on deck seven.",
    exact: "On which deck are cabins with a window on the ferry to Gotland?",
  },
  {
    domain: "travel",
    day: "2026-04-11",
    text: "The journey to Porto took eleven hours with the change in Madrid; next time fly to Vigo instead.",
    paraphrase: "Was the trip to the Portuguese coast quick?",
  },
  {
    domain: "travel",
    day: "2026-04-12",
    text: "The hut at the lake has no shop. Bread comes with the post bus on Tuesdays and Fridays.",
  },
  {
    domain: "travel",
    day: "2026-04-18",
    text: "Passports of the children run out in November, the new ones take six weeks.",
  },
  {
    domain: "travel",
    day: "2026-04-19",
    text: "The hotel in Trieste was loud at the front. Ask for a room toward the courtyard.",
  },
  {
    domain: "money",
    day: "2026-04-21",
    text: "The tax office wants the statement for 2025 by the end of July; the adviser needs everything in May.",
  },
  {
    domain: "money",
    day: "2026-04-24",
    text: "The electricity contract ends in October and renews itself unless we write six weeks before.",
    paraphrase: "When does the power agreement finish?",
  },
  {
    domain: "money",
    day: "2026-04-25",
    text: "The savings book of the godchild lies in the steel box, with thirty euros each month.",
  },
  {
    domain: "hobby",
    day: "2026-04-29",
    text: "The choir rehearses the requiem in the parish hall until its church is heated again.",
    exact: "Where does the choir rehearse the requiem?",
  },
  {
    domain: "hobby",
    day: "2026-05-03",
    text: "The sourdough needs twelve hours at room temperature, and eighteen in the cellar.",
    exact: "I want to bake on Sunday. How many hours does the sourdough need in the cellar?",
  },
  {
    domain: "hobby",
    day: "2026-05-05",
    text: "The telescope's finder is out of line by half a moon; adjust it on the church tower.",
  },
  { domain: "hobby", day: "2026-05-09", text: "The chess club meets in the library while the pub is being rebuilt." },
  {
    domain: "hobby",
    day: "2026-05-10",
    text: "The cello's bridge leans toward the fingerboard. The luthier on Castle Hill straightens it without charge.",
    paraphrase: "Who mends my instrument for free?",
  },
  {
    domain: "hobby",
    day: "2026-05-16",
    text: "The pottery course fires at 1,240 degrees; glazes of the blue shelf run at that.",
  },
  {
    domain: "reading",
    day: "2026-05-17",
    text: "Finished the novel about the lighthouse keeper. The middle part was slow, its last forty pages are worth it.",
  },
  {
    domain: "reading",
    day: "2026-05-23",
    text: "The library lends magazines for one week, and everything else for four.",
  },
  {
    domain: "reading",
    day: "2026-05-24",
    text: "Lent the atlas of birds to Henrike in April; she brings it back to the summer party.",
    exact: "I cannot find the atlas of birds anywhere, did I lend it to somebody?",
  },
  {
    domain: "computing",
    day: "2026-05-26",
    text: "The passphrase of the backup disk is with the notary, in the envelope with the red seal.",
    paraphrase: "Where is the password for the safety copy?",
  },
  {
    domain: "computing",
    day: "2026-05-30",
    text: "The home server restarts on Sundays at four to install updates; the music stops for two minutes.",
    exact: "When does the home server restart to install updates?",
  },
  {
    domain: "computing",
    day: "2026-05-31",
    text: "Photos of phones are copied each night, but only while they are charged and at home.",
  },
  {
    domain: "computing",
    day: "2026-06-02",
    text: "The old notebook erases its clock when the battery is empty; set the date before sending mail.",
    paraphrase: "Which laptop deletes its time?",
  },
  {
    domain: "computing",
    day: "2026-06-06",
    text: "Television over the antenna needs the amplifier in the attic, which hums if the fuse box is touched.",
  },
]);
