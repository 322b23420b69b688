import { because, type Reason } from './reasons';

/** Why a YAML text was rejected, as the parser of `base` says it. */
type Problem =
  | { problem: 'too_deep' | 'too_large' | 'key_twice' | 'alias' }
  | { problem: 'invalid' | 'colon'; line: number; column: number };

/** The same as a reason, for front matter: its first line is the second of the file. */
export function frontMatterProblem(found: Problem): Reason {
  switch (found.problem) {
    case 'too_deep':
      return because('front_matter_wrong', { why: because('nested_deep') });
    case 'too_large':
      return because('front_matter_wrong', { why: because('is_too_large') });
    case 'key_twice':
    case 'alias':
      return because('front_matter_wrong', { why: because(`yaml_${found.problem}`) });
    default: {
      const at = { line: found.line + 1, column: found.column };
      return because('front_matter_wrong', {
        why: because(found.problem === 'colon' ? 'yaml_colon' : 'yaml_at', at),
      });
    }
  }
}
