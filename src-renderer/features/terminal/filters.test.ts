import { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { cleanPaste, InputGate, ignoreUntrustedSequences, isRiskyPaste, webAddress } from './filters';

const printed = (terminal: Terminal, text: string) =>
  new Promise<void>((resolve) => terminal.write(text, resolve));

describe('program output', () => {
  it('changes no title and sends no replies to queries for settings, colors or window state', async () => {
    const terminal = new Terminal({ allowProposedApi: true });
    const answers: string[] = [];
    const titles: string[] = [];
    terminal.onData((data) => answers.push(data));
    terminal.onTitleChange((title) => titles.push(title));
    ignoreUntrustedSequences(terminal);
    await printed(
      terminal,
      '\x1b]0;evil\x07\x1b]2;evil\x07\x1bP$q"p\x1b\\\x1b[21t\x1b]11;?\x07\x1b]4;1;?\x07',
    );
    await printed(terminal, '\x1b]52;c;ZXZpbA==\x07plain');
    expect({ answers, titles, text: terminal.buffer.active.getLine(0)?.translateToString(true) }).toEqual({
      answers: [],
      titles: [],
      text: 'plain',
    });
    terminal.dispose();
  });
});

describe('a replay', () => {
  /** Every query that xterm.js answers, in one record. */
  const QUERIES = '\x1b[c\x1b[>c\x1b[5n\x1b[6n\x1b[?6n\x1b[?25$p\x1b[4$p\x1b[18t\x1b]10;?\x07\x1bP$qm\x1b\\';

  it('discards the replies to old queries, and sends afterwards what was typed meanwhile', async () => {
    const terminal = new Terminal({ allowProposedApi: true });
    const sent: string[] = [];
    const replies: string[] = [];
    const gate = new InputGate((data) => sent.push(data));
    terminal.onData((data) => {
      if (data.startsWith('\x1b[') && data !== '\x1b[A') replies.push(data);
      gate.take(data);
    });
    terminal.input('clear; ');
    await printed(terminal, QUERIES);
    terminal.input('echo é');
    terminal.input('\x1b[A');
    terminal.input('\r');
    expect(sent).toEqual([]);
    expect(replies.length).toBeGreaterThanOrEqual(7);
    gate.live();
    expect(sent).toEqual(['clear; echo é\x1b[A\r']);
    await printed(terminal, '\x1b[6n');
    expect(sent).toHaveLength(2);

    gate.replay();
    terminal.input('ls\r');
    await printed(terminal, QUERIES);
    expect(sent).toHaveLength(2);
    gate.live();
    expect(sent.slice(2)).toEqual(['ls\r']);
    gate.live();
    expect(sent).toHaveLength(3);
    terminal.dispose();
  });
});

describe('pasted text', () => {
  it('cannot end bracketed paste', () => {
    expect(cleanPaste('ls\x1b[201~\rrm -rf x\n\tä')).toBe('ls[201~\rrm -rf x\n\tä');
  });
});

describe('a paste', () => {
  it('needs confirmation if it has several lines or would run immediately', () => {
    const risky = (text: string) => [isRiskyPaste(text, true), isRiskyPaste(text, false)];
    expect(['ls', 'ls\n', 'ls\nrm x', 'a\rb', '  ls  '].map(risky)).toEqual([
      [false, false],
      [false, true],
      [true, true],
      [true, true],
      [false, false],
    ]);
  });
});

describe('links', () => {
  it('are limited to web addresses', () => {
    expect(
      [
        'https://a.example/b',
        'http://localhost:3000',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'https://bank@evil.example',
        'x',
      ].map(webAddress),
    ).toEqual(['https://a.example/b', 'http://localhost:3000/', undefined, undefined, undefined, undefined]);
  });
});
