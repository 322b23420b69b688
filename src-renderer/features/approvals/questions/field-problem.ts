import type { FormField, FormProblem } from '@contract/form';
import type { Translate } from '../../../i18n';

const formats = {
  email: 'approvals.fieldEmail',
  uri: 'approvals.fieldUri',
  date: 'approvals.fieldDate',
  'date-time': 'approvals.fieldDateTime',
} as const;

/** What the person should enter, if the server says only which format. */
export const formatHint = ({ format }: FormField, t: Translate): string | undefined =>
  format === undefined ? undefined : t(formats[format]);

/** What the person should enter instead. */
export function problemText(field: FormField, problem: FormProblem, t: Translate): string {
  switch (problem) {
    case 'required':
      return t('approvals.fieldRequired');
    case 'number':
      return t(field.kind === 'integer' ? 'approvals.fieldInteger' : 'approvals.fieldNumber');
    case 'range':
      return t(sizeOf(field), { limits: limitsOf(field, t) });
    case 'format':
      return t(field.format === undefined ? 'approvals.fieldFormat' : formats[field.format]);
    case 'choice':
      return t('approvals.fieldChoice');
  }
}

function sizeOf({ kind }: FormField) {
  if (kind === 'text') return 'approvals.limitedText';
  return kind === 'choices' ? 'approvals.limitedChoices' : 'approvals.limitedNumber';
}

function limitsOf({ min, max }: FormField, t: Translate): string {
  if (min !== undefined && max !== undefined) return t('approvals.limitsBoth', { min, max });
  return min === undefined ? t('approvals.limitsMax', { max: max ?? '' }) : t('approvals.limitsMin', { min });
}
