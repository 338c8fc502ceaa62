/** Parking: a call that needs a person (A13). A value to return, never an exception or a blocked promise. */

/** One step of a form: a JSON Schema (draft-07 or 2020-12) of the fields asked for. */
export interface FormStep {
  readonly schema: { readonly [key: string]: unknown };
  readonly title?: string;
  readonly description?: string;
}

/** What is asked. */
export type ParkRequest =
  | { readonly kind: "question"; readonly question: string }
  | {
      readonly kind: "form";
      readonly title: string;
      readonly description: string;
      /** At least one; several make a wizard. */
      readonly steps: readonly FormStep[];
    }
  | ApprovalPark;

/** A decision about this call, or about a call that is to be made inside of it. */
export interface ApprovalPark {
  readonly kind: "approval";
  readonly title: string;
  readonly detail: string;
  /** The tool whose call is decided about, where it is another one. The person is shown its name, `args` and preview. */
  readonly tool?: string;
  /** The exact arguments that are decided about: JSON. Default: those of the call that parks. */
  readonly args?: unknown;
  /** The person may approve the same `tool` and `args` for the future too: from then on such calls are not asked about. */
  readonly grantable?: boolean;
}

/** What `park.*` returns. */
export interface Park {
  readonly type: "park";
  readonly request: ParkRequest;
}

/** What the person answered. `values` of a form fit its schemas; a person may decline to fill it in. */
export type ParkAnswer =
  | { readonly kind: "question"; readonly text: string }
  | { readonly kind: "form"; readonly values: unknown; readonly declined?: never; readonly note?: never }
  | { readonly kind: "form"; readonly declined: true; readonly note?: string; readonly values?: never }
  | { readonly kind: "approval"; readonly approved: boolean; readonly note?: string };

/** Ways to ask a person. */
export const park = {
  /** A free-text question. */
  question: (question: string): Park => ({ type: "park", request: { kind: "question", question } }),
  /** A form of one or more steps. */
  form: (form: { title: string; description?: string; steps: readonly FormStep[] }): Park => ({
    type: "park",
    request: { kind: "form", title: form.title, description: form.description ?? "", steps: form.steps },
  }),
  /** A yes-or-no decision in the middle of a call; give the tool a `resume` that acts on it. */
  approval: (approval: Omit<ApprovalPark, "kind">): Park => ({
    type: "park",
    request: { kind: "approval", ...approval },
  }),
} as const;
