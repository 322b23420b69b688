import type { Attachment } from '@contract/attachments';
import type { OfferedResource } from '@contract/commands/composer';
import type { TerminalId, ThreadId } from '@contract/ids';
import { MAX_ATTACHMENT, MAX_ATTACHMENTS } from '@contract/limits';
import type { Answer, ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { useCallback, useRef, useState } from 'react';
import { listed, type Translate, useT } from '../../../i18n';
import { call, closeFile } from '../../../link';
import { useAttached } from './drafts';

/** An attachment on its way to the main process. */
export interface Arriving {
  key: number;
  name: string;
}

let lastKey = 0;
/** Errors that are shown at once; the others are folded. */
const MAX_FAILURES = 5;

/** One error for all of them: the advice is the same. */
function tooLarge(names: readonly string[], t: Translate): ErrorInWords {
  const limit = MAX_ATTACHMENT / 1024 ** 2;
  const [name = ''] = names;
  if (names.length === 1)
    return { kind: 'too_large', message: t('chat.attachmentTooLarge', { name, limit }) };
  const quoted = names.map((one) => `“${one}”`);
  const shown = listed(t, quoted.slice(0, MAX_FAILURES));
  const isCut = names.length > MAX_FAILURES;
  return {
    kind: 'too_large',
    message: t('chat.attachmentsTooLarge', { names: isCut ? `${shown}…` : shown, limit }),
    ...(isCut ? { detail: quoted.join('\n') } : {}),
  };
}

export interface Attaching {
  attached: readonly Attachment[];
  arriving: readonly Arriving[];
  files(files: readonly File[], origin: 'file' | 'paste'): void;
  text(text: string): void;
  terminal(terminalId: TerminalId, name: string): void;
  changes(): void;
  resource(resource: OfferedResource): void;
  remove(attachment: Attachment): void;
  /** Adds the attachments of a message that was not sent. */
  add(attachments: readonly Attachment[]): void;
  /** Called when these were sent. */
  sent(attachments: readonly Attachment[]): void;
  /** Whether one of those that were added last did not arrive. */
  hasFailed(): boolean;
}

/** The attachments of a thread's draft. Reports failures to `onError`. */
export function useAttaching(
  threadId: ThreadId,
  onError: (error: ErrorInWords | undefined) => void,
): Attaching {
  const t = useT();
  const [attached, change] = useAttached(threadId);
  const [arriving, setArriving] = useState<readonly Arriving[]>([]);

  const add = useCallback(
    (more: readonly Attachment[]) =>
      change((now) => [...now, ...more.filter((one) => !now.some(isSame(one)))].slice(0, MAX_ATTACHMENTS)),
    [change],
  );
  /** The keys of those that were added here, by path: files arrive in any order, but keep the one they were chosen in. */
  const keys = useRef(new Map<string, number>());
  const insert = (attachment: Attachment, key: number) => {
    if (!keys.current.has(attachment.path)) keys.current.set(attachment.path, key);
    change((now) => {
      if (now.some(isSame(attachment))) return now;
      const at = now.findIndex(({ path }) => (keys.current.get(path) ?? 0) > key);
      return now.toSpliced(at === -1 ? now.length : at, 0, attachment).slice(0, MAX_ATTACHMENTS);
    });
  };
  /** What went wrong with the files that were added together: one error must not hide that another file is missing. */
  const failures = useRef<ErrorInWords[]>([]);
  const begin = () => {
    failures.current = [];
    onError(undefined);
  };
  const report = (error: ErrorInWords) => {
    failures.current.push(error);
    const messages = [...new Set(failures.current.map(({ message }) => message))];
    const details = failures.current.flatMap(({ detail }) => detail ?? []);
    const hidden = [...messages.slice(MAX_FAILURES), ...details].join('\n') || undefined;
    onError({
      kind: error.kind,
      message: messages.slice(0, MAX_FAILURES).join('\n'),
      ...optional({ detail: hidden }),
    });
  };
  const bring = async (name: string, ask: () => Promise<Answer<Attachment>>) => {
    const key = ++lastKey;
    setArriving((now) => [...now, { key, name }]);
    const result = await ask();
    if (result.ok) insert(result.value, key);
    else report(result.error);
    setArriving((now) => now.filter((one) => one.key !== key));
  };
  const room = () => MAX_ATTACHMENTS - attached.length - arriving.length;
  const full = () =>
    report({ kind: 'too_large', message: t('chat.tooManyAttachments', { limit: MAX_ATTACHMENTS }) });
  const one = (name: string, ask: () => Promise<Answer<Attachment>>) => {
    begin();
    if (room() <= 0) full();
    else void bring(name, ask);
  };
  const files: Attaching['files'] = (chosen, origin) => {
    begin();
    const isFit = ({ size }: File) => size <= MAX_ATTACHMENT;
    const fit = chosen.filter(isFit);
    const large = chosen.filter((file) => !isFit(file)).map(({ name }) => name);
    if (fit.length > room()) full();
    if (large.length > 0) report(tooLarge(large, t));
    for (const file of fit.slice(0, Math.max(0, room()))) {
      void bring(file.name, async () => {
        const data = await base64Of(file);
        if (data !== null) return call('attachments.add', { threadId, origin, name: file.name, data });
        // Chromium cannot represent names with other letters in a locale that is not UTF-8.
        const message =
          file.name === '' ? t('chat.cannotReadName') : t('chat.cannotRead', { name: file.name });
        return { ok: false, error: { kind: 'not_found', message } };
      });
    }
  };

  return {
    attached,
    arriving,
    files,
    text: (text) => files([new File([text], `${t('chat.pastedText')}.txt`, { type: 'text/plain' })], 'paste'),
    terminal: (terminalId, name) => one(name, () => call('attachments.terminal', { threadId, terminalId })),
    changes: () => one(t('chat.attachChanges'), () => call('attachments.changes', { threadId })),
    resource: ({ serverId, uri, name }) =>
      one(name, () => call('attachments.resource', { threadId, serverId, uri })),
    remove: (attachment) => {
      const isRemoved = isSame(attachment);
      change((now) => now.filter((one) => !isRemoved(one)));
      keys.current.delete(attachment.path);
      closeFile(attachment.path);
      // The host forgets the content, which another file may have, too.
      if (attached.some((one) => one.id === attachment.id && !isRemoved(one))) return;
      void call('attachments.remove', { threadId, id: attachment.id });
    },
    add,
    sent: (those) => change((now) => now.filter((one) => !those.some(isSame(one)))),
    hasFailed: () => failures.current.length > 0,
  };
}

/** Two files may have the same content, such as empty ones. The path consists of content and name. */
const isSame =
  (attachment: Attachment) =>
  ({ path }: Attachment): boolean =>
    path === attachment.path;

/** The file's bytes in base64; null if it cannot be read, such as a folder. */
async function base64Of(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onerror = () => resolve(null);
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.readAsDataURL(file);
  });
}
