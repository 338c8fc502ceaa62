/** What is wrong with a server's address, one sentence that does not repeat it. `isTemplate`: placeholders are in it. */
export function urlProblem(url: string, isTemplate: boolean): string | undefined {
  const credentials = "`url` holds a name or password; take it out, and give it as a header";
  if (isTemplate) return /^[^/?#]*\/\/[^/?#]*@/.test(url) ? credentials : undefined;
  const parsed = URL.parse(url);
  if (parsed === null) return "`url` is no address; give one that begins with https:// or http://";
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    return "`url` begins with https:// or http://; change it";
  return parsed.username === "" && parsed.password === "" ? undefined : credentials;
}
