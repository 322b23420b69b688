import type { z } from 'zod';
import { because, type Reason } from './reasons';

/** By the names of zod and of JSON Schema. */
export const TYPES: Readonly<Record<string, Reason>> = {
  string: because('form_text'),
  number: because('form_number'),
  int: because('form_integer'),
  integer: because('form_integer'),
  boolean: because('form_boolean'),
  array: because('form_list'),
  object: because('form_object'),
  record: because('form_object'),
};

/** Maximum UTF-16 units of a path or of names: keys may have any length. */
const MAX_NAMES = 200;

/** Where input does not match its schema, and what is expected there. */
export const formProblem = ({ issues: [issue] }: z.ZodError): Reason => issueProblem(issue);

/** The same for each problem, up to a maximum. */
export const formProblems = ({ issues }: z.ZodError, most: number): Reason[] =>
  issues.slice(0, most).map(issueProblem);

/** A field by the names and numbers that lead to it. */
export function fieldOf(names: readonly PropertyKey[]): Reason {
  const path = joined(names, '.');
  return path === '' ? because('form_whole') : because('form_field', { path });
}

function issueProblem(issue: z.core.$ZodIssue | undefined): Reason {
  const field = fieldOf(issue?.path ?? []);
  switch (issue?.code) {
    case 'invalid_type': {
      const type = TYPES[issue.expected];
      return type === undefined ? because('form_wrong', { field }) : because('form_type', { field, type });
    }
    case 'invalid_value':
      return because('form_choice', { field, choices: joined(issue.values, ', ') });
    case 'too_big': {
      const limit = Number(issue.maximum);
      if (issue.inclusive === false) return because('form_not_below', { field, limit });
      return because(isLength(issue.origin) ? 'form_too_long' : 'form_too_large', { field, limit });
    }
    case 'too_small': {
      const limit = Number(issue.minimum);
      if (issue.inclusive === false) return because('form_not_above', { field, limit });
      return because(isLength(issue.origin) ? 'form_too_short' : 'form_too_small', { field, limit });
    }
    case 'unrecognized_keys':
      return because('form_unknown_keys', { field, keys: joined(issue.keys, ', ') });
    default:
      return because('form_wrong', { field });
  }
}

export function joined(names: readonly unknown[], separator: string): string {
  const whole = names.map(String).join(separator);
  return whole.length <= MAX_NAMES ? whole : `${whole.slice(0, MAX_NAMES)}…`;
}

const isLength = (origin: string) => ['string', 'array', 'set'].includes(origin);
