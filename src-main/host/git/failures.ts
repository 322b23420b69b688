import { fail, type Result } from '../../contract/result';
import type { GitOutput } from './run-git';

type Failure = Extract<Result<never>, { ok: false }>;

/** An error for a run of git that failed; null if it succeeded. */
export function failureOf(output: GitOutput): Failure | null {
  switch (output.end) {
    case 'missing':
      return fail('unsupported', 'git_missing');
    case 'timeout':
      return fail('timeout', 'git_timeout');
    case 'cancelled':
      return fail('cancelled', 'cancelled');
    case 'too_large':
      return fail('too_large', 'git_output');
    case 'exited':
      return output.code === 0 ? null : fromText(output.stderr || output.stdout.toString('utf8'));
    default:
      return output.end satisfies never;
  }
}

function fromText(text: string): Failure {
  const detail = withoutPasswords(text.trim()).slice(0, 4_000);
  for (const [pattern, failure] of KNOWN) if (pattern.test(text)) return failure(detail);
  return fail('conflict', 'git_failed', {}, detail);
}

/** In the order in which they are tried. Git speaks English here: `LC_ALL=C`. */
const KNOWN: readonly (readonly [RegExp, (detail: string) => Failure])[] = [
  [/^(error|fatal): .*\.lock': File exists/m, (detail) => fail('conflict', 'git_locked', {}, detail)],
  [
    /^error: (Your local changes|.*would be overwritten by (checkout|merge))/m,
    (detail) => fail('conflict', 'git_would_lose', {}, detail),
  ],
  [
    /^fatal: a branch named .* already exists/im,
    (detail) => fail('conflict', 'git_branch_exists', {}, detail),
  ],
  [
    /^fatal: .*(not a valid branch name|invalid reference)/m,
    (detail) => fail('invalid', 'git_branch_name', {}, detail),
  ],
  [
    /^\*\*\* Please tell me who you are|^fatal: .*(empty ident name|auto-detect email)/m,
    (detail) => fail('invalid', 'git_no_identity', {}, detail),
  ],
  [
    /^(nothing to commit|no changes added|nothing added to commit)/m,
    () => fail('invalid', 'git_nothing_staged'),
  ],
  [
    /^(error|fatal): .*(unmerged files|unresolved conflict)/m,
    (detail) => fail('conflict', 'git_conflicts', {}, detail),
  ],
  [/\[rejected\]|non-fast-forward|fetch first/, (detail) => fail('conflict', 'git_rejected', {}, detail)],
  [
    /Not possible to fast-forward|Diverging branches/,
    (detail) => fail('conflict', 'git_diverged', {}, detail),
  ],
  [
    /could not read (Username|Password)|Authentication failed|Permission denied \(|Host key verification/,
    (detail) => fail('denied', 'git_sign_in', {}, detail),
  ],
  [
    /Could not resolve host|unable to access|does not appear to be a git repository|Could not read from remote|Connection (refused|timed out)/,
    (detail) => fail('network', 'git_unreachable', {}, detail),
  ],
];

/** Addresses may hold a name and password. */
const withoutPasswords = (text: string) => text.replaceAll(/(?<=\w:\/\/)[^\s/@]+@/g, '…@');
