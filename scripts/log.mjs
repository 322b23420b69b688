// One line per thing worth knowing, on stderr: stdout belongs to the program that a script runs.

/**
 * @param {string} subject the part that speaks, such as `runtime`
 * @param {string} text
 */
export function log(subject, text) {
  console.error(`[${subject}] ${text}`);
}
