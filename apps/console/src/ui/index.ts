import "./tokens.css";

export { Button, type ButtonKind, type ButtonProps, buttonClass } from "./button.tsx";
export { CheckField } from "./check-field.tsx";
export { Choices } from "./choices.tsx";
export { classNames } from "./class-names.ts";
export { CopyButton, CopyText } from "./copy-button.tsx";
export { Dialog, loadDialogs } from "./dialog.tsx";
export type { DialogProps } from "./dialog-props.ts";
export { DRAWING_NAMES, Drawing, type DrawingName } from "./drawing.tsx";
export { Elapsed } from "./elapsed.tsx";
export { EmptyState } from "./empty-state.tsx";
export { ErrorState, type Failure, failureOf, InlineError } from "./error-state.tsx";
export { boxClass, focusInvalid, SelectField, TextArea, TextField } from "./field.tsx";
export {
  ago,
  bytes,
  clockSeconds,
  clockTime,
  count,
  dayName,
  dollars,
  duration,
  exactTime,
  monthName,
  ownZone,
  shortDay,
  startOf,
  tokens,
  UNKNOWN,
} from "./format.ts";
export { ListStates, type ReadList } from "./list-states.tsx";
export { Page, Section } from "./page.tsx";
export { RelativeTime } from "./relative-time.tsx";
export { saveFile } from "./save-file.ts";
export { ScrollRegion, type ScrollRegionProps } from "./scroll-region.tsx";
export { Skeleton, SkeletonRows } from "./skeleton.tsx";
export { StateBadge, type WorkState, workState } from "./state-badge.tsx";
export { Switch } from "./switch.tsx";
export { type Column, Table } from "./table.tsx";
