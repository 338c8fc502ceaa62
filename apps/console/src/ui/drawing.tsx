import type { ReactElement } from "react";

/** What a drawing shows: where nothing is yet, or nothing was found. */
export type DrawingName = keyof typeof DRAWINGS;

/** Lines in a field of 120 × 72, and the point, which is the mark's: where it goes on. */
const DRAWINGS = {
  calm: { lines: "M79.5 40A20 20 0 1 1 59 17", point: [74, 20] },
  conversation: {
    lines:
      "M18 10H56A8 8 0 0 1 64 18V30A8 8 0 0 1 56 38H32L22 47V38H18A8 8 0 0 1 10 30V18A8 8 0 0 1 18 10M78 26H102A8 8 0 0 1 110 34V46A8 8 0 0 1 102 54H99V62L90 54H66A8 8 0 0 1 58 48",
    point: [37, 24],
  },
  runs: { lines: "M16 10V62M27 19H55M43 36H79M65 53H84", point: [97, 53] },
  board: {
    lines:
      "M14 12H34M50 12H70M86 12H106M14 24H34V38H14ZM14 48H34V62H14ZM50 24H70V38H50ZM86 48V28A4 4 0 0 1 90 24H102A4 4 0 0 1 106 28V38",
    point: [96, 54],
  },
  inbox: {
    lines:
      "M30 16H22L12 40V56A6 6 0 0 0 18 62H102A6 6 0 0 0 108 56V40L98 16H90M12 40H38L44 50H76L82 40H108M60 8V26M52 20L60 28L68 20",
    point: [60, 39],
  },
  records: { lines: "M18 14H70M18 29H98M18 44H84M18 59H46", point: [61, 59] },
  chart: { lines: "M16 10V60H106M28 48L46 34L62 42L80 24", point: [92, 15] },
  search: { lines: "M71 22A20 20 0 1 0 72.5 42M69 48L88 64", point: [54, 32] },
  folders: {
    lines:
      "M22 62A6 6 0 0 1 16 56V20A6 6 0 0 1 22 14H42L50 22H84A6 6 0 0 1 90 28V32M22 62H92L106 32H40L28 56A6 6 0 0 1 22 62",
    point: [69, 47],
  },
  agents: {
    lines: "M20 36A11 11 0 1 0 42 36A11 11 0 1 0 20 36M42 32L74 20M42 40L74 53M76 17A9 9 0 1 1 94 17A9 9 0 1 1 76 17",
    point: [84, 56],
  },
} as const;

/** A line drawing of the one family that empty screens have. Screen readers skip it: the words are beside it. */
export function Drawing({ name }: { readonly name: DrawingName }): ReactElement {
  const { lines, point } = DRAWINGS[name];
  return (
    <svg aria-hidden data-drawing={name} viewBox="0 0 120 72" className="h-18 w-30">
      <path
        d={lines}
        fill="none"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-[var(--neutral-7)]"
      />
      <circle cx={point[0]} cy={point[1]} r="5" className="fill-accent" />
    </svg>
  );
}

/** Every drawing, for the page that shows all parts. */
export const DRAWING_NAMES = Object.keys(DRAWINGS) as readonly DrawingName[];
