import type { ModelTest } from '@contract/commands/models';
import type { useFormats } from './context';
import type { Translate } from './translate';

/** Why a test of a model failed, with the next step. */
export function modelTestWords(
  t: Translate,
  { outcome, model, retryAfterSeconds }: ModelTest,
  formats: ReturnType<typeof useFormats>,
): string {
  switch (outcome) {
    case 'answered':
      return '';
    case 'no_key':
      return t('data.testNoKey');
    case 'bad_key':
      return t('data.testBadKey');
    case 'no_quota':
      return t('data.testNoQuota');
    case 'rate_limited':
      return retryAfterSeconds === undefined
        ? t('data.testRateLimited')
        : t('data.testRateLimitedFor', { wait: formats.duration(retryAfterSeconds * 1_000) });
    case 'unknown_model':
      return t('data.testUnknownModel', { model });
    case 'wrong_address':
      return t('data.testWrongAddress');
    case 'unreachable':
      return t('data.testUnreachable');
    case 'no_network':
      return t('data.testNoNetwork');
    case 'overloaded':
      return t('data.testOverloaded');
    case 'no_answer':
      return t('data.testNoAnswer');
    case 'ceiling':
      return t('data.testCeiling');
    case 'other':
      return t('data.testOther');
    default:
      return outcome satisfies never;
  }
}
