// A provider on this machine that says as many words a second as it is told to, as Chat Completions streams them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Provider {
  baseUrl: string;
  close(): void;
}

const PARAGRAPH =
  'The build reads every module once and writes what changed, and so the next one has little to do. ';
const CODE = '\n\n```ts\nexport const value = compute(1, 2, 3);\nconst other = value + 1;\n```\n\n';

/** `rate` words a second for `seconds`. */
export async function startProvider(rate: number, seconds: number): Promise<Provider> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'application/json').end('{"data":[{"id":"bench"}]}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (delta: object, finish: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    chunk({ role: 'assistant', content: '' });
    const text = `${PARAGRAPH.repeat(4)}${CODE}`.split(/(?<= )/);
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
