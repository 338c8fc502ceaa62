/** Reads a body to its end. `act` is called once, as soon as what was read so far passes; throws where it never does. */
export async function readBody(response: Response, passes: RegExp, act: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let hasActed = false;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (hasActed || !passes.test(text)) continue;
    hasActed = true;
    act();
  }
  if (!hasActed) throw new Error(`the body ended before: ${text}`);
  return text;
}
