/** A conversation that is offered to be begun with one press. */
export interface Starter {
  readonly title: string;
  readonly line: string;
  /** What a model is asked. */
  readonly text: string;
  /** What the demo's scripted model is sent, which does what its lines say. */
  readonly demo: string;
  /** The tool that asks for approval before it runs, where the point is to show that. */
  readonly asksBefore?: string;
}

const CLOCK = "current_time";
const PLAN = [
  { title: "Ask ten customers why they left", priority: 1 },
  { title: "Sort their answers by reason" },
  { title: "Propose one change and what it costs" },
];

/** Four beginnings that show what the agent can do. */
export const STARTERS: readonly Starter[] = [
  {
    title: "Research with sources",
    line: "Finds out what changed in a protocol, and says where it stands",
    text: "What changed between version 0.3 and 1.0 of the A2A protocol? Name the source of each point.",
    demo: [
      "/think First I look what day it is, so that I can say how old the sources are.",
      `/call ${CLOCK} {"timezone":"UTC"}`,
      "/then",
      "/think Two documents answer this.",
      "/say A model would read the two documents now. What it finds comes with where it stands:\n",
      "1. Methods are named `SendMessage` and `GetTask` instead of `message/send` and `tasks/get` ([specification](https://a2a-protocol.org/latest/specification/)).",
      "2. States are named `TASK_STATE_COMPLETED` instead of `completed` ([definitions](https://a2a-protocol.org/latest/definitions/)).",
      "",
      "Each step on the way stands under *How it got there*.",
    ].join("\n"),
  },
  {
    title: "Compare in a table",
    line: "Three ways to store files, side by side",
    text: "Compare a local disk, object storage and a network share for storing 10 TB of pictures: a table with price, speed and risk, then one sentence of advice.",
    demo: [
      "/think A table says this best.",
      '/call calculator {"expression":"10 * 1000 * 0.023"}',
      "/then",
      "/say | Storage | Price of 10 TB a month | Speed | Risk |",
      "| --- | ---: | --- | --- |",
      "| Local disk | $25 | fast | one machine |",
      "| Object storage | $230 | fair | little |",
      "| Network share | $120 | fair | one building |",
      "",
      "**Object storage**, where the pictures cannot be made again.",
    ].join("\n"),
  },
  {
    title: "Plan on the board",
    line: "Turns a goal into items you can follow",
    text: "Plan how we find out why customers leave: put three items on the board, the most important first, and say which to begin with.",
    demo: [
      "/think Three items are enough to begin with.",
      ...PLAN.map((item) => `/call task_create ${JSON.stringify(item)}`),
      "/then",
      "/say Three items are on the board, under **Work**. Begin with the first: the other two need its answers.",
    ].join("\n"),
  },
  {
    title: "Ask me first",
    line: "Stops before a step you want to decide",
    text: `What time is it in Tokyo? Use the tool ${CLOCK}.`,
    demo: `/call ${CLOCK} {"timezone":"Asia/Tokyo"}`,
    asksBefore: CLOCK,
  },
];
