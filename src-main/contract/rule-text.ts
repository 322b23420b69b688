import type { RuleMatch } from './control';

/** A rule as one line: `npm test …`, `write docs/**`, `server__tool`. */
export function ruleText(match: RuleMatch): string {
  switch (match.kind) {
    case 'command': {
      const words = match.words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)));
      return match.exact ? words.join(' ') : `${words.join(' ')} …`;
    }
    case 'path':
      return `${match.changes.join(', ')} ${match.glob}`;
    case 'tool':
      return match.tool;
    case 'host':
      return match.host;
    case 'web':
      return `fetch ${match.host}`;
    default:
      return match satisfies never;
  }
}
