import { expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { serve } from '../base/network/testing/servers';
import { toAppError } from './errors';
import { modelAt, WIRES } from './testing/provider-servers';

/** Those whose address the person enters. At a fixed address, a web page comes from a network that wants a sign-in. */
const wires = WIRES.filter(({ provider }) => provider === 'openai-compatible' || provider === 'ollama');

it.each(wires)('%j says that nothing answers at an address with a web page, and asks once', async (ref) => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><h1>Hello</h1>');
  });
  const model = await modelAt(ref, { url }, { retries: 2 });
  const streamed = (async () => {
    for await (const _ of await model.stream('Hi'));
  })();
  const error = await streamed.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const told = toAppError(error, ref.provider);
  expect(inEnglish(told)).toContain('nothing answers at this address');
  expect(told.detail).toContain('The address answered with a web page');
  expect(asked).toBe(1);
});
