/** What the page sends to the frame of a diagram. */
export interface DiagramRequest {
  readonly code: string;
  readonly theme: "light" | "dark";
}

/** What a frame reports to the page: that it listens, how high what it shows is, or why it shows nothing. */
export type FrameReport =
  | { readonly kind: "ready" }
  | { readonly kind: "shown"; readonly height: number }
  | { readonly kind: "failed"; readonly problem: string };
