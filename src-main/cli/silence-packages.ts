/** Everything of `console` that writes. */
const METHODS = ['debug', 'dir', 'dirxml', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const;

/**
 * Drops what packages print, such as the raw text of a provider's malformed answer, and Node's warnings about them. Programs
 * read both streams: standard output is the answer, JSON or a protocol, and each line of standard error is for the person.
 */
export function silencePackages(
  printing: Pick<Console, (typeof METHODS)[number]>,
  node: Pick<NodeJS.EventEmitter, 'removeAllListeners'>,
): void {
  for (const method of METHODS) printing[method] = () => undefined;
  // Node's own listener prints them.
  node.removeAllListeners('warning');
}
