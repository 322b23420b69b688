import { clearText } from '../../contract/shared/unseen';

/** Maximum characters of a command, path or task in a notification. */
const MAX_LENGTH = 140;

/** A text as it is, for notifications of Linux, which read it as markup: tags would vanish, and some show nothing after an `&`. */
export const asMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A text for a notification: on one line, with nothing hidden, and cut between characters if it is long. */
export function notificationLine(text: string, isCommand = false): string {
  const line = clearText(text.replaceAll(/[ \t\r\n]+/g, ' '), isCommand);
  // Twice as many units hold that many characters of any kind.
  const characters = [...line.slice(0, 2 * MAX_LENGTH + 2)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : line;
}
