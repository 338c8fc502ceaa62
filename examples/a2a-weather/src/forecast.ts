/** Tomorrow's weather, from a table: examples need no network. */
export async function forecast(city: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const skies = ["sunny", "cloudy", "rain", "snow"];
  const letters = [...city.toLowerCase()].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return `${city}: ${skies[letters % skies.length]}, ${letters % 30} °C`;
}
