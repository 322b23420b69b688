import { describe, expect, it } from 'vitest';
import { limitedMessages } from './message-limits';

const answer = (text: string, type: string, size = 1_000_003) => {
  const bytes = Buffer.from(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
      at += size;
    },
  });
  return limitedMessages(new Response(body, { headers: { 'content-type': type } }));
};
const json = (text: string) => answer(text, 'application/json; charset=utf-8').text();
const events = (text: string, size?: number) => answer(text, 'text/event-stream', size).text();

describe('the response of an HTTP server', () => {
  it('fails when a message is too large, but never because of many small ones [safety 24]', async () => {
    await expect(json(`"${'a'.repeat(11_000_000)}"`)).rejects.toThrow('more than 10 MB');
    await expect(events(`data: "${'a'.repeat(11_000_000)}"`)).rejects.toThrow('more than 10 MB');
    const event = `data: "${'a'.repeat(1_000_000)}"\n\n`;
    expect((await events(event.repeat(12))).length).toBe(event.length * 12);
    const other = event.replaceAll('\n', '\r\n');
    expect((await events(other.repeat(12), 4_001)).length).toBe(other.length * 12);
    // Lines of one event, each short.
    await expect(events(`data: ${'a'.repeat(1_000_000)}\r\n`.repeat(12))).rejects.toThrow('more than 10 MB');
  });
});
