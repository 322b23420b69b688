import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { because } from '../../contract/shared/reasons';
import { place } from '../testing/place';

const PAGE = '<!doctype html>\n<title>Sign in</title>';

const foreign = (type: string, text: string) => because('mcp_foreign_answer', { type, text });
const ANSWERS: [what: string, type: string, body: string, why: unknown][] = [
  ['a page', 'text/html; charset=utf-8', PAGE, foreign('text/html', PAGE.replace('\n', ' '))],
  [
    'a page that is named JSON',
    'application/json',
    PAGE,
    foreign('application/json', PAGE.replace('\n', ' ')),
  ],
  ['a text', 'text/plain', 'hello', foreign('text/plain', 'hello')],
  ['other JSON', 'application/json', '{"hello":1}', foreign('application/json', '{"hello":1}')],
  ['an empty list', 'application/json', '[]', foreign('application/json', '[]')],
  [
    'the answer to another request',
    'application/json',
    '{"jsonrpc":"2.0","id":"other","result":{}}',
    foreign('application/json', '{"jsonrpc":"2.0","id":"other","result":{}}'),
  ],
  [
    'an error without a request',
    'application/json',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
    foreign('application/json', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}'),
  ],
  ['nothing', 'application/json', '', because('mcp_empty_answer', { status: '200' })],
];

it.each(ANSWERS)(
  'fails at once when a server answers with %s, and says what came',
  async (_, type, body, why) => {
    const http = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void http.close());
    const { port } = http.address() as AddressInfo;
    const t = place({ page: { type: 'http', url: `http://127.0.0.1:${port}/mcp` } });
    await t.tools();
    expect((await t.shown('page')).state).toMatchObject({ phase: 'failed', why: [why] });
  },
);
