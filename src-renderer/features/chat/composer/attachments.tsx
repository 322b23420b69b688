import type { Attachment } from '@contract/attachments';
import type { ThreadId } from '@contract/ids';
import { MAX_INSERTED } from '@contract/limits';
import {
  ClipboardType,
  File,
  FileDiff,
  FileText,
  FileVolume,
  Film,
  Image,
  type LucideIcon,
  SquareTerminal,
  TextCursorInput,
  X,
} from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFormats, useT } from '../../../i18n';
import { openFile } from '../../../link';
import { cx, ExactText, IconButton, Spinner } from '../../../ui';
import { loadPicture } from '../pictures';
import type { Arriving } from './use-attaching';

interface AttachmentsProps {
  threadId: ThreadId;
  attachments: readonly Attachment[];
  arriving?: readonly Arriving[];
  /** Absent for sent attachments. */
  onRemove?: (attachment: Attachment) => void;
  /** Inserts a pasted text into the message. */
  onInsert?: (attachment: Attachment) => void;
  className?: string;
}

/** The attachments of a message, each as a chip that opens it. */
export const Attachments = ({
  threadId,
  attachments,
  arriving = [],
  onRemove,
  onInsert,
  className,
}: AttachmentsProps) => {
  const t = useT();
  const count = attachments.length + arriving.length;
  const list = useNewestInView(count, attachments.length);
  if (count === 0) return null;
  return (
    <ul ref={list} aria-label={t('chat.attachments')} className={cx('flex flex-wrap gap-1.5', className)}>
      {attachments.map((attachment) => (
        <li key={attachment.path} className="max-w-full min-w-0">
          <Chip
            threadId={threadId}
            attachment={attachment}
            {...(onRemove ? { onRemove: () => onRemove(attachment) } : {})}
            {...(onInsert && isInsertable(attachment) ? { onInsert: () => onInsert(attachment) } : {})}
          />
        </li>
      ))}
      {arriving.map(({ key, name }) => (
        <li
          key={key}
          className="flex h-9 max-w-60 items-center gap-2 rounded-control border border-line bg-sunken px-2 text-small text-fg-3"
        >
          <Spinner size={14} />
          <span className="min-w-0 truncate">
            <ExactText text={name} oneLine />
          </span>
        </li>
      ))}
    </ul>
  );
};

/** A field with a very long text takes seconds for each key. */
const isInsertable = ({ origin, kind, bytes }: Attachment) =>
  origin === 'paste' && kind === 'text' && bytes <= MAX_INSERTED;

/** Scrolls to the end when an attachment is added, and again when it has arrived, which makes it larger. */
function useNewestInView(count: number, arrived: number): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef({ count, arrived });
  useLayoutEffect(() => {
    const isMore = count > before.current.count || arrived > before.current.arrived;
    if (isMore && list.current) list.current.scrollTop = list.current.scrollHeight;
    before.current = { count, arrived };
  }, [count, arrived]);
  return list;
}

interface ChipProps {
  threadId: ThreadId;
  attachment: Attachment;
  onRemove?: () => void;
  onInsert?: () => void;
}

const Chip = ({ threadId, attachment, onRemove, onInsert }: ChipProps) => {
  const t = useT();
  const formats = useFormats();
  const { name, kind, lines, bytes, path, id } = attachment;
  const size =
    kind === 'text' && lines !== undefined ? t('chat.lines', { count: lines }) : formats.bytes(bytes);
  return (
    <span className="flex h-9 max-w-full items-center rounded-control border border-line bg-sunken">
      <button
        type="button"
        title={t('chat.openAttachment', { name })}
        onClick={() => openFile(path)}
        className="flex h-full min-w-0 items-center gap-2 rounded-control pr-2 pl-1.5 -outline-offset-2 hover:bg-hover"
      >
        {kind === 'image' ? <Thumb threadId={threadId} id={id} /> : <Sign attachment={attachment} />}
        <span className="flex min-w-0 flex-col items-start leading-4">
          <span className="w-full max-w-52 truncate text-left text-small">
            <ExactText text={name} oneLine />
          </span>
          <span className="text-tiny text-fg-3 tabular-nums">{size}</span>
        </span>
      </button>
      {onInsert && (
        <IconButton
          size="sm"
          label={t('chat.insertAsText', { name })}
          icon={<TextCursorInput size={14} />}
          onClick={onInsert}
        />
      )}
      {onRemove && (
        <IconButton
          size="sm"
          label={t('chat.removeAttachment', { name })}
          icon={<X size={14} />}
          onClick={onRemove}
          className="mr-1"
        />
      )}
    </span>
  );
};

const SIGNS: Readonly<Record<Attachment['kind'], LucideIcon>> = {
  image: Image,
  audio: FileVolume,
  video: Film,
  document: FileText,
  text: FileText,
  file: File,
};
const ORIGINS: Partial<Record<Attachment['origin'], LucideIcon>> = {
  terminal: SquareTerminal,
  changes: FileDiff,
};

const Sign = ({ attachment: { kind, origin } }: { attachment: Attachment }) => {
  const Icon = ORIGINS[origin] ?? (origin === 'paste' && kind === 'text' ? ClipboardType : SIGNS[kind]);
  return <Icon aria-hidden size={16} className="mx-1 shrink-0 text-fg-3" />;
};

/** A thumbnail; an icon until it has loaded, or the reason why it cannot be shown. */
const Thumb = ({ threadId, id }: { threadId: ThreadId; id: string }) => {
  const [picture, setPicture] = useState<Awaited<ReturnType<typeof loadPicture>>>();
  useEffect(() => {
    let isCurrent = true;
    void loadPicture(threadId, id).then((loaded) => {
      if (isCurrent) setPicture(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [threadId, id]);
  return (
    <span
      title={picture?.ok === false ? picture.error.message : undefined}
      className="flex size-7 shrink-0 items-center justify-center overflow-hidden rounded-mark bg-bg"
    >
      {picture?.ok === true ? (
        <img
          src={picture.value}
          alt=""
          draggable={false}
          decoding="async"
          className="size-full object-cover"
        />
      ) : (
        <Image aria-hidden size={16} className="text-fg-3" />
      )}
      {picture?.ok === false && <span className="sr-only">{picture.error.message}</span>}
    </span>
  );
};
