/** Longest topic, in characters. */
const MAX_TOPIC = 128;

const TOPIC = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/i;

/** Why a text is no topic of an event, as a sentence; undefined: it is one, names joined by dots, no wildcards. */
export function topicProblem(topic: string): string | undefined {
  if (topic.length > MAX_TOPIC) return `A topic has at most ${MAX_TOPIC} characters.`;
  if (/[*#]/.test(topic)) return "A topic to publish to has no wildcards.";
  if (!topic.includes(".")) return "A topic is two or more words joined by dots, such as build.finished.";
  return TOPIC.test(topic) ? undefined : "The words of a topic are letters, digits, - and _.";
}
