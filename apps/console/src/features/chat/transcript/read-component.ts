/** A component of the tool `show_component` that the console can render. */
export type ShownComponent =
  | {
      readonly component: "table";
      readonly title: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | {
      readonly component: "keyvalue";
      readonly title: string;
      readonly items: readonly { readonly label: string; readonly value: string }[];
    }
  | {
      readonly component: "timeline";
      readonly title: string;
      readonly steps: readonly { readonly label: string; readonly state: StepState; readonly detail: string }[];
    };

export type StepState = "done" | "active" | "todo";

type Fields = { readonly [name: string]: unknown };

/** Whether data is a component of the tool `show_code`, which says where lines of a file are. */
export function isCode(value: unknown): boolean {
  return isFields(value) && value.component === "code";
}

/** Reads a component; undefined for data that the console cannot render as one. */
export function readComponent(value: unknown): ShownComponent | undefined {
  if (!isFields(value) || !isFields(value.props)) return undefined;
  const { props } = value;
  const title = typeof value.title === "string" ? value.title : "";
  switch (value.component) {
    case "table":
      if (!Array.isArray(props.columns) || !Array.isArray(props.rows)) return undefined;
      return {
        component: "table",
        title,
        columns: props.columns.map(cellText),
        rows: props.rows.map((row: unknown) => (Array.isArray(row) ? row.map(cellText) : [cellText(row)])),
      };
    case "keyvalue":
      if (!Array.isArray(props.items)) return undefined;
      return {
        component: "keyvalue",
        title,
        items: props.items
          .filter(isFields)
          .map(({ label, value: of }) => ({ label: cellText(label), value: cellText(of) })),
      };
    case "timeline":
      if (!Array.isArray(props.steps)) return undefined;
      return {
        component: "timeline",
        title,
        steps: props.steps.filter(isFields).map(({ label, state, detail }) => ({
          label: cellText(label),
          state: stateOf(state),
          detail: cellText(detail ?? ""),
        })),
      };
    default:
      return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stateOf(state: unknown): StepState {
  return state === "done" || state === "active" ? state : "todo";
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
