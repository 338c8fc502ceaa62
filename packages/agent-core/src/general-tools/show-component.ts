import { type AnyTool, defineTool, toolResult } from "@agent-service/plugin-sdk";
import * as v from "valibot";

/** Most columns and rows of a table; most items of the other two. */
export const COMPONENT_LIMITS = Object.freeze({ columns: 50, rows: 1000, items: 200, cellChars: 5000 });

const label = v.pipe(v.string(), v.nonEmpty(), v.maxLength(500));
const cell = v.union(
  [v.pipe(v.string(), v.maxLength(COMPONENT_LIMITS.cellChars)), v.number(), v.boolean(), v.null()],
  `Expected a text of at most ${COMPONENT_LIMITS.cellChars} characters, a number, true, false or null`,
);

const table = v.pipe(
  v.object({
    columns: v.pipe(v.array(label), v.minLength(1), v.maxLength(COMPONENT_LIMITS.columns)),
    rows: v.pipe(
      v.array(v.pipe(v.array(cell), v.description("One cell per column, in the order of the columns."))),
      v.maxLength(COMPONENT_LIMITS.rows),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { columns, rows } = dataset.value;
    const wrong = rows.findIndex((row) => row.length !== columns.length);
    if (wrong !== -1) {
      const message = `Row ${wrong + 1} has ${rows[wrong]!.length} cells; the table has ${columns.length} columns`;
      addIssue({ message });
    }
  }),
);

const keyvalue = v.object({
  items: v.pipe(v.array(v.object({ label, value: cell })), v.minLength(1), v.maxLength(COMPONENT_LIMITS.items)),
});

const timeline = v.object({
  steps: v.pipe(
    v.array(
      v.object({
        label,
        state: v.picklist(["done", "active", "todo"]),
        detail: v.optional(v.pipe(v.string(), v.maxLength(COMPONENT_LIMITS.cellChars))),
      }),
    ),
    v.minLength(1),
    v.maxLength(COMPONENT_LIMITS.items),
  ),
});

const PROPS = { table, keyvalue, timeline } as const;

/** How many of what the component shows, for the model's own record. */
function sizeOf(props: object): string {
  const count = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? "" : "s"}`;
  if (v.is(table, props)) return `${count(props.rows.length, "row")}, ${count(props.columns.length, "column")}`;
  return v.is(keyvalue, props)
    ? count(props.items.length, "item")
    : count((props as v.InferOutput<typeof timeline>).steps.length, "step");
}

/**
 * One flat object rather than a choice of three: several providers refuse a choice at the top of a tool's schema, and
 * this way a wrong cell is named by its own path.
 */
const input = v.pipe(
  v.object({
    component: v.picklist(["table", "keyvalue", "timeline"]),
    props: v.pipe(
      v.looseObject({}),
      v.description(
        "table: {columns: [text], rows: [[cell]]}; keyvalue: {items: [{label, value}]}; timeline: {steps: [{label, state: done|active|todo, detail?}]}",
      ),
    ),
    title: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ""),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { component, props, title } = dataset.value;
    const parsed = v.safeParse(PROPS[component] as v.GenericSchema<unknown, object>, props);
    if (parsed.success) return { component, props: parsed.output, title };
    for (const issue of parsed.issues) {
      const path = ["props", v.getDotPath(issue)].filter((key) => key !== null).join(".");
      addIssue({ message: `${path}: ${issue.message}` });
    }
    return NEVER;
  }),
);

/**
 * `show_component(component, props, title='')` (B80): a table, a list of labels and values, or a timeline, drawn
 * by clients that can. Pure: it touches nothing outside; the component is shown by the commit of its outcome, once.
 */
export const showComponent: AnyTool = defineTool({
  name: "show_component",
  description:
    "Show structured content to the reader: a table, a list of labels and values (keyvalue) or a timeline. Clients that cannot draw it show only your text, so name the result in words too.",
  input,
  effect: "pure",
  content: "own",
  present: { asks: "Show a {component}?", doing: "Showing a {component}", done: "Showed a {component}[: {title}]" },
  run: (shown) =>
    toolResult({
      text: `Shown: ${shown.component}${shown.title === "" ? "" : ` "${shown.title}"`} (${sizeOf(shown.props)}).`,
      component: {
        component: shown.component,
        props: shown.props,
        ...(shown.title === "" ? {} : { title: shown.title }),
      },
    }),
});
