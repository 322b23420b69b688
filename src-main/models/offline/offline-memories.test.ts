import { describe, expect, it } from 'vitest';
import { numbered, play, type Tools } from './testing/play';

describe('memories', () => {
  const empty: Tools = {
    glob: () => "No files found matching pattern 'tea.md'",
    ls: () => 'No files found in /memories/',
  };

  it('are written to a file with their name', async () => {
    const { rounds, text } = await play('remember Green Tea: no sugar', empty);
    expect(rounds).toEqual([
      [['glob', { pattern: 'green-tea.md', path: '/memories/' }]],
      [['write_file', { file_path: '/memories/green-tea.md', content: 'no sugar\n' }]],
    ]);
    expect(text).toBe('I remembered that as `green-tea.md`.');
  });

  it('are named after their first words if they have no name', async () => {
    const { rounds } = await play('remember the port is 8080, not 80', empty);
    expect(rounds[1]).toEqual([
      [
        'write_file',
        { file_path: '/memories/the-port-is-8080-not.md', content: 'the port is 8080, not 80\n' },
      ],
    ]);
    const chinese = await play('记住 我喜欢绿茶', empty);
    expect(chinese.rounds[1]).toEqual([
      ['write_file', { file_path: '/memories/我喜欢绿茶.md', content: '我喜欢绿茶\n' }],
    ]);
  });

  it('are extended if they exist, after an ending that occurs once', async () => {
    const { rounds, text } = await play('remember tea: black', {
      glob: () => '/memories/tea.md',
      read_file: () => numbered('green', 'sugar', 'green', 'sugar'),
    });
    expect(rounds.slice(1)).toEqual([
      [['read_file', { file_path: '/memories/tea.md', limit: 2000 }]],
      [
        [
          'edit_file',
          {
            file_path: '/memories/tea.md',
            old_string: 'sugar\ngreen\nsugar',
            new_string: 'sugar\ngreen\nsugar\nblack',
            replace_all: false,
          },
        ],
      ],
    ]);
    expect(text).toBe('I added that to the memory `tea.md`.');
  });

  it('are all read on request', async () => {
    const { rounds, text } = await play('what do you remember?', {
      ls: () => '/memories/a.md (3 bytes)\n/memories/sub/ (directory)\n/memories/b.md (9 bytes)',
      read_file: ({ file_path }) => numbered(file_path === '/memories/a.md' ? 'one' : 'two'),
    });
    expect(rounds).toEqual([
      [['ls', { path: '/memories/' }]],
      [
        ['read_file', { file_path: '/memories/a.md' }],
        ['read_file', { file_path: '/memories/b.md' }],
      ],
    ]);
    expect(text).toBe('I found 2 memories (`a.md` and `b.md`).\n\n**a.md**\n\n> one\n\n**b.md**\n\n> two');
  });

  it('are searched by text and name', async () => {
    const { rounds, text } = await play('what do you remember about Tea', {
      grep: () => "No matches found for pattern 'Tea'",
      glob: () => '/memories/tea.md',
      read_file: () => numbered('green'),
    });
    expect(rounds).toEqual([
      [
        ['grep', { pattern: 'Tea', path: '/memories/', output_mode: 'files_with_matches' }],
        ['glob', { pattern: '*tea*', path: '/memories/' }],
      ],
      [['read_file', { file_path: '/memories/tea.md' }]],
    ]);
    expect(text).toBe('I found 1 memory (`tea.md`).\n\n**tea.md**\n\n> green');
  });

  it('are reported as missing if there are none', async () => {
    expect((await play('what do you remember', empty)).text).toBe('I found nothing in my memories.');
    expect((await play('你记得什么', empty)).text).toBe('我在记忆中没有找到任何内容。');
  });
});
