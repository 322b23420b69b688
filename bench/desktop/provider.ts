// Providers on this machine that stream Chat Completions: one streams a given number of words per second, one answers
// immediately, and one makes given calls.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

export interface Provider {
  baseUrl: string;
  /** When each request for an answer arrived: milliseconds since 1970, with fractions. */
  asked: number[];
  close(): void;
}

type Chunk = (delta: object, finish?: string | null) => void;

const PARAGRAPH =
  'The build reads every module once and writes what changed, and so the next one has little to do. ';
const CODE = '\n\n```ts\nexport const value = compute(1, 2, 3);\nconst other = value + 1;\n```\n\n';

/** `rate` words per second for `seconds`. */
export function startProvider(rate: number, seconds: number): Promise<Provider> {
  const text = `${PARAGRAPH.repeat(4)}${CODE}`.split(/(?<= )/);
  return serve((request, response, chunk) => {
    request.resume();
    chunk({ role: 'assistant', content: '' });
    const from = performance.now();
    let said = 0;
    const timer = setInterval(() => {
      const due = Math.min(rate * seconds, Math.floor(((performance.now() - from) / 1_000) * rate));
      for (; said < due; said += 1) chunk({ content: text[said % text.length] });
      if (said < rate * seconds) return;
      clearInterval(timer);
      chunk({}, 'stop');
      response.end('data: [DONE]\n\n');
    }, 5);
    response.on('close', () => clearInterval(timer));
  });
}

/** Answers every request immediately with the same text. */
export function startAnswerer(text: string): Promise<Provider> {
  return serve((request, response, chunk) => {
    request.resume();
    chunk({ role: 'assistant', content: text });
    chunk({}, 'stop');
    response.end('data: [DONE]\n\n');
  });
}

/** The model's next step: a tool call, or text that ends its turn. */
export type Step = { name: string; args: Record<string, unknown> } | { text: string };

/** Answers with the result of `next`, which gets the raw request. */
export function startCaller(next: (request: string) => Step): Promise<Provider> {
  let calls = 0;
  return serve((request, response, chunk) => {
    textOf(request).then(
      (body) => {
        const step = next(body);
        if ('text' in step) {
          chunk({ role: 'assistant', content: step.text });
          chunk({}, 'stop');
        } else {
          calls += 1;
          const called = { name: step.name, arguments: JSON.stringify(step.args) };
          const one = { index: 0, id: `call_${calls}`, type: 'function', function: called };
          chunk({ role: 'assistant', content: null, tool_calls: [one] });
          chunk({}, 'tool_calls');
        }
        response.end('data: [DONE]\n\n');
      },
      // The app disconnected.
      () => response.destroy(),
    );
  });
}

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, chunk: Chunk) => void,
): Promise<Provider> {
  const asked: number[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      request.resume();
      response.setHeader('content-type', 'application/json').end('{"data":[{"id":"bench"}]}');
      return;
    }
    asked.push(performance.timeOrigin + performance.now());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk: Chunk = (delta, finish = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    answer(request, response, chunk);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
