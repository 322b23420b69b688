import { Console } from 'node:console';
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { silencePackages } from './silence-packages';

it('drops what packages print, and warnings of Node', () => {
  const printed: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      printed.push(String(chunk));
      done();
    },
  });
  const printing = new Console(stream, stream);
  const node = new EventEmitter().on('warning', (text: string) => printed.push(text));
  printing.error('before');
  silencePackages(printing, node);
  printing.error('Could not parse message into JSON:', '{oops');
  printing.log('[WARNING]: Received non-string content.');
  printing.warn('deprecated');
  printing.trace('here');
  printing.dir({});
  node.emit('warning', 'MaxListenersExceededWarning');
  expect(printed).toEqual(['before\n']);
});
