import { ErrorKind } from '@contract/shared/error-kind';
import { expect, it } from 'vitest';
import { errorIn } from './errors';

it('says errors of the main process in the person’s language, and loses nothing of them', () => {
  const error = { kind: 'not_found' as const, message: 'The moon /a does not exist.', detail: 'x' };
  expect(errorIn('en', error)).toEqual(error);
  expect(errorIn('zh', error)).toEqual({
    ...error,
    message: '它已不存在。（The moon /a does not exist.）',
  });
  expect(errorIn('zh', { kind: 'invalid', message: 'The key is empty.' }).message).toBe('密钥为空。');
});

it.each(ErrorKind.options)('has words for %s', (kind) => {
  expect(errorIn('zh', { kind, message: 'X' }).message).toMatch(/^\P{Script=Latin}.*（X）$/u);
});
