/** The title of a session as it is shown; `untitled` where it has none. Of an incognito one no text is a title. */
export function shownTitle(
  { title, incognito }: { readonly title: string; readonly incognito: boolean },
  untitled = "Untitled",
): string {
  if (title !== "") return title;
  return incognito ? "Incognito chat" : untitled;
}
