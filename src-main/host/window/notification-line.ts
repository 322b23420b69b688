/** Maximum characters of a command, path or task in a notification. */
const MAX_LENGTH = 140;

/** A text for a notification: on one line, and cut between characters if it is long. */
export function notificationLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  // Twice as many units hold that many characters of any kind.
  const characters = [...line.slice(0, 2 * MAX_LENGTH + 2)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : line;
}
