/**
 * The title of a session as it is shown; `untitled` where it has none. Of an incognito one no text is a title, and the heading
 * that the engine adds to an inbox item is left out.
 */
export function shownTitle(
  { title, incognito }: { readonly title: string; readonly incognito: boolean },
  untitled = "Untitled",
): string {
  const words = title.replace(/^\[Inbox item [^\]]*\]\s*/, "");
  if (words !== "") return words;
  return incognito ? "Incognito chat" : untitled;
}
