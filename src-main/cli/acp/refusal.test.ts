import { expect, it } from 'vitest';
import { appError } from '../../contract/result';
import { refusalOf } from './refusal';

it("contains the provider's message if the text refers to it", () => {
  const rejected = { code: 'request_rejected_status', values: { provider: 'OpenAI', status: 400 } } as const;
  const { kind, message } = refusalOf(appError('provider', rejected, { detail: 'no such field' }));
  expect([kind, message]).toEqual([
    'failed',
    expect.stringMatching(/ Its message is below\. .*\n {4}\| no such field$/),
  ]);
});
