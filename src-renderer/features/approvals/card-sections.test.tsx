import type { Approval, ChangedSince } from '@contract/approvals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../../link';
import { fakeHost } from '../../testing/fake-host';
import { commandApproval } from '../../testing/sample-approvals';
import { sampleApp } from '../../testing/samples';
import { ApprovalCard } from './approval-card';

const MOUNT = '/home/me/my-api';
let stop: () => void;
beforeEach(() => {
  stop = start(fakeHost(sampleApp(), [], {}).port);
});
afterEach(() => {
  cleanup();
  stop();
});

const show = (approval: Approval) => render(<ApprovalCard approval={approval} mount={MOUNT} mac={false} />);
/** A command with additional preview fields. */
const command = (more: object) => {
  const { preview } = commandApproval();
  return commandApproval({ preview: { ...preview, ...more } });
};
const changes = () => screen.queryByRole('region', { name: 'Changed since the agent asked' });

describe('changes since the question', () => {
  const showChanges = (...changed: ChangedSince[]) => show(commandApproval({ changed }));

  it('show the diff of a file, by its path in the folder', () => {
    const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-exit 0', '+rm -rf ~'] };
    showChanges({ what: 'file', name: `${MOUNT}/scripts/run.sh`, hunks: [hunk] });
    const name = 'Changes to scripts/run.sh since the agent asked';
    const diff = within(changes() ?? document.body).getByLabelText(name);
    expect(diff.textContent).toContain('exit 0');
    expect(diff.textContent).toContain('rm -rf ~');
    expect(within(changes() ?? document.body).getByText('scripts/run.sh')).toBeTruthy();
  });

  it.each<[ChangedSince['what'], string, string]>([
    ['file', `${MOUNT}/run.sh`, 'run.sh changed beyond the part Deepdesk keeps.'],
    ['place', '/tmp', 'It will run in /tmp.'],
    ['program', '/tmp/npm', 'It will run the program /tmp/npm.'],
    ['sandbox', '', 'The sandbox setting changed.'],
    ['other', '', 'The environment variables or the project folder changed.'],
  ])('describe the change if there is no diff: %s', (what, name, sentence) => {
    showChanges({ what, name });
    expect(within(changes() ?? document.body).getByText(sentence)).toBeTruthy();
  });

  it('are listed above the command that they concern', () => {
    showChanges({ what: 'place', name: '/tmp' }, { what: 'sandbox', name: '' });
    const section = changes();
    const exact = screen.getByRole('region', { name: 'Exact command' });
    expect(section?.querySelectorAll('p')).toHaveLength(2);
    expect(section?.compareDocumentPosition(exact)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('show invisible characters of a path as escapes', () => {
    showChanges({ what: 'program', name: '/tmp/a\u202eb\nc' });
    expect(changes()?.textContent).not.toMatch(/[\u202e\n]/u);
    expect(changes()?.textContent).toContain('/tmp/a');
  });

  it('have no section if there are none', () => {
    show(commandApproval());
    expect(changes()).toBeNull();
  });
});

describe('the output of a command in the read-only sandbox', () => {
  const attempt = (output: string) => ({ attempt: { refused: [], exitCode: 1, output } });
  const printed = () => screen.queryByText('Output in the read-only sandbox')?.closest('details');

  it('is collapsed, and shows invisible characters as escapes', () => {
    show(command(attempt('built\n\u202eevil')));
    expect(printed()?.open).toBe(false);
    expect(printed()?.querySelector('pre')?.textContent).toBe('built\n\\u202eevil');
  });

  it('is omitted if it is empty', () => {
    show(command(attempt(' \n')));
    expect(printed()).toBeUndefined();
  });
});

describe('the files behind a command', () => {
  const files = (...paths: string[]) => ({
    files: paths.map((path) => ({ path, version: 'v1', text: '' })),
  });

  it('are all listed by their paths in the folder', () => {
    show(command(files(`${MOUNT}/package.json`, `${MOUNT}/scripts/a.mjs`, '/opt/tool.sh')));
    expect(screen.getByText(/^Depends on/).textContent).toBe(
      'Depends on package.json, scripts/a.mjs, /opt/tool.sh',
    );
  });

  it('are listed with invisible characters as escapes', () => {
    show(command(files(`${MOUNT}/a\u202eb.sh`)));
    expect(screen.getByText(/^Depends on/).textContent).not.toContain('\u202e');
  });

  it('are not mentioned if there are none', () => {
    show(commandApproval());
    expect(screen.queryByText(/^Depends on/)).toBeNull();
  });
});

describe('a page to be read', () => {
  const page = (args: { url: string; prompt?: string }) =>
    show(
      commandApproval({
        tool: 'fetch_url',
        display: 'fetch',
        args,
        preview: { kind: 'arguments', json: JSON.stringify(args) },
      }),
    );

  it('is shown by its address, with invisible characters as escapes', () => {
    page({ url: 'https://docs.example.org/a\u202eb' });
    const address = screen.getByRole('group', { name: 'Address' });
    expect(address.textContent).toContain('https://docs.example.org/a\\u202eb');
    expect(address.textContent).not.toContain('{');
  });

  it('is shown with all its arguments if there are others', () => {
    page({ url: 'https://docs.example.org/', prompt: 'Summarize' });
    expect(document.body.textContent).toContain('Summarize');
    expect(screen.queryByRole('group', { name: 'Address' })).toBeNull();
  });
});

describe('a file to be deleted', () => {
  const deletes = (more: object) =>
    show(
      commandApproval({
        tool: 'delete',
        display: 'delete',
        preview: { kind: 'delete', path: `${MOUNT}/notes/a.md`, isDirectory: false, ...more },
      }),
    );
  const touched = { does: 'delete', path: `${MOUNT}/notes/a.md`, kind: 'file', outside: false, bytes: 2_400 };

  it('is shown with its text, its size, its git status, and that it can be undone', () => {
    deletes({ text: 'one\u202e\ntwo\n', undo: true, touched: { ...touched, notInGit: 1 } });
    const card = screen.getByRole('dialog', { name: 'Delete notes/a.md' });
    expect(within(card).getByRole('group', { name: 'Text of notes/a.md' }).textContent).toBe(
      'one\\u202e\ntwo\n',
    );
    for (const text of [
      '2.4 kB',
      'not committed to git in its current state',
      'You can undo this under Changes.',
    ])
      expect(within(card).getByText(text)).toBeTruthy();
  });

  it('shows its git status, and what cannot be undone', () => {
    deletes({ text: '', undo: false, touched: { ...touched, notInGit: 0 } });
    expect(screen.getByText('committed to git')).toBeTruthy();
    expect(screen.getByText(/^You can't undo this/)).toBeTruthy();
    expect(screen.getByText('The file is empty.')).toBeTruthy();
  });

  it('says that only its beginning is shown', () => {
    deletes({ text: 'x', cut: true });
    expect(screen.getByText('Only the beginning of the file is shown.')).toBeTruthy();
    expect(screen.queryByText(/undo/)).toBeNull();
  });
});

describe('a call without a preview of its own', () => {
  const heading = (call: object) => {
    show(commandApproval({ preview: { kind: 'arguments', json: '{}' }, ...call }));
    return screen.getByRole('heading').textContent;
  };

  it.each([
    ['Read .env', { tool: 'read_file', display: 'read', args: { file_path: `${MOUNT}/.env` } }],
    ['List /etc', { tool: 'ls', display: 'list', args: { path: '/etc' } }],
    [
      'Search for “key” in the project folder',
      { tool: 'grep', display: 'search', args: { pattern: 'key', path: '/' } },
    ],
    [
      'Find files “*.pem” in certs',
      { tool: 'glob', display: 'match', args: { pattern: '*.pem', path: `${MOUNT}/certs` } },
    ],
    ['Use the tool search_web', { tool: 'search_web', display: undefined, args: { path: 'x' } }],
  ])('is described by its heading: %s', (expected, call) => {
    expect(heading(call)).toBe(expected);
  });

  it('shows invisible characters of a path as escapes', () => {
    const args = { file_path: `${MOUNT}/a\u202eb` };
    expect(heading({ tool: 'read_file', display: 'read', args })).toBe('Read a\\u202eb');
  });
});

describe('where a command runs', () => {
  it.each([
    [
      'in the folder',
      {},
      'Files that other programs save in your folder while it runs count as its changes.',
    ],
    [
      'in a layer first',
      { thenInLayer: true },
      'It first runs in a throwaway layer. You then decide whether to keep what it changed.',
    ],
  ])('is said before it is allowed: %s', (_where, more, sentence) => {
    show(command(more));
    expect(screen.getByText(sentence)).toBeTruthy();
  });
});
