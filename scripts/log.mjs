// Logs one line per noteworthy event to stderr: stdout belongs to the program that a script runs.

/**
 * @param {string} subject the part that logs, such as `runtime`
 * @param {string} text
 */
export function log(subject, text) {
  console.error(`[${subject}] ${text}`);
}
