/** Seen while one points at the turn or has the focus in it; always where nothing can hover. */
export const REVEALED =
  "opacity-0 transition-opacity duration-120 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 [@media(hover:none)]:opacity-100";
