import { Attachment } from '@contract/attachments';
import type { ComposerCommand } from '@contract/commands/composer';
import { ProjectId, ThreadId, TurnId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { start, usePort } from '../../../../link';
import { type FakeHost, fakeHost } from '../../../../testing/fake-host';
import { sampleApp } from '../../../../testing/samples';
import { Composer } from '../composer';
import { useDraft } from '../drafts';

export const threadId = ThreadId.parse('t1');
export const mount = '/home/me/my-api';
export const attachment = (id: string, change: Partial<Attachment> = {}): Attachment =>
  Attachment.parse({
    id: id.repeat(64),
    kind: 'text',
    origin: 'paste',
    name: 'notes.txt',
    path: `/attachments/${id}`,
    mimeType: 'text/plain',
    bytes: 10,
    lines: 3,
    length: 10,
    ...change,
  });
export const commands: ComposerCommand[] = [
  { kind: 'action', name: 'compact' },
  { kind: 'skill', name: 'review', description: 'Reviews.', source: 'app' },
  {
    kind: 'prompt',
    name: 'trial:review',
    description: 'Reviews a book.',
    serverId: 'person:trial',
    prompt: 'review',
    arguments: [{ name: 'title', description: 'Of the book', required: true }],
  },
];

export const Held = ({ running = false }: { running?: boolean }) => {
  const [draft, setDraft] = useDraft(threadId);
  const [sent, setSent] = useState(0);
  const isReady = usePort().phase === 'ready';
  if (!isReady) return null;
  return (
    <Composer
      threadId={threadId}
      projectId={ProjectId.parse('p1')}
      mount={mount}
      phase={running ? 'running' : 'idle'}
      queue={[]}
      lastMessage={undefined}
      draft={draft}
      onDraft={setDraft}
      stopKeys="Ctrl+."
      mac={false}
      onSent={() => setSent(sent + 1)}
    />
  );
};

export let host: FakeHost;
let stop: () => void;
export function startComposer() {
  host = fakeHost(sampleApp(), [], {
    'thread.send': () => ok({ turnId: TurnId.parse('u1'), queued: false }),
    'thread.stop': () => ok({}),
    'attachments.add': ({ name, origin }) => ok(attachment('a', { name, origin })),
    'attachments.changes': () => ok(attachment('c', { name: 'changes.diff', origin: 'changes', bytes: 5 })),
    'attachments.text': () => ok({ text: 'the pasted words' }),
    'attachments.remove': () => ok({}),
    'composer.commands': () => ok({ commands, coming: [] }),
    'composer.resources': () =>
      ok({
        resources: [
          {
            serverId: 'person:books',
            server: 'books',
            uri: 'book://one',
            name: 'One',
            description: 'The first.',
          },
          { serverId: 'person:books', server: 'books', uri: 'book://two', name: 'Two', description: '' },
        ],
      }),
    'attachments.resource': ({ uri }) =>
      ok(attachment('d', { name: `${uri.slice(7)}.txt`, origin: 'resource', bytes: 5 })),
    'composer.prompt': ({ arguments: args }) => ok({ text: `Review ${args.title}.` }),
    'memories.list': () => ok({ memories: [] }),
    'files.list': ({ path }) =>
      ok({
        entries: [
          { path: `${path}/src`, name: 'src', kind: 'directory' },
          { path: `${path}/my file.md`, name: 'my file.md', kind: 'file', size: 1 },
        ],
        total: 2,
        nextOffset: null,
      }),
    'files.find': ({ query }) =>
      ok({
        matches: ['src/lib/sum.ts', 'src/sum.test.ts']
          .filter((name) => name.includes(query))
          .map((name) => ({ path: `${mount}/${name}`, name, ranges: [] })),
        total: 2,
        files: 2,
        listing: false,
      }),
  });
  stop = start(host.port);
}

export function stopComposer() {
  cleanup();
  stop();
  localStorage.clear();
}

export const field = () =>
  screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Message to the agent|给智能体的消息)$/ });
export const sent = () => host.calls.filter((one) => one.command === 'thread.send').map((one) => one.input);
export const type = async (text: string) => {
  const area = await field();
  area.focus();
  fireEvent.change(area, { target: { value: text } });
  area.setSelectionRange(text.length, text.length);
  fireEvent.select(area);
  return area;
};
export const paste = async (text: string, files: File[] = []) =>
  fireEvent.paste(await field(), { clipboardData: { getData: () => text, files } });
export const options = async () => (await screen.findAllByRole('option')).map((one) => one.textContent);
