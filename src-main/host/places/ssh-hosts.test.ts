import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temp } from '../testing/window';
import { sshHosts } from './ssh-hosts';

function homeWith(files: Record<string, string>): string {
  const home = temp('home');
  mkdirSync(join(home, '.ssh/conf.d'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, '.ssh', name), text);
  return home;
}

it('finds the names of the OpenSSH configuration and of the files that it includes', async () => {
  const home = homeWith({
    config: [
      'Include conf.d/*.conf ~/.ssh/work missing',
      '# Host commented',
      'host Build-Server "two words" # a comment',
      '  HostName 192.0.2.1',
      'Host *.example.org !bad git?',
      'HOST=last',
      'Match host matched',
    ].join('\n'),
    'conf.d/a.conf': 'Host from-a\n',
    'conf.d/b.conf.old': 'Host from-old\n',
    work: 'Include config\nHost work\n',
  });
  expect(await sshHosts(home)).toEqual(['Build-Server', 'from-a', 'last', 'two words', 'work']);
});

it('reads a linked configuration, and has no names without one', async () => {
  const home = homeWith({ dotfiles: 'Host linked\n' });
  expect(await sshHosts(home)).toEqual([]);
  symlinkSync('dotfiles', join(home, '.ssh/config'));
  expect(await sshHosts(home)).toEqual(['linked']);
});
