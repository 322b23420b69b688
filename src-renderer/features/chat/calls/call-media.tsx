import type { CallMedia as Medium } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { FileText, FileVolume, Film, Image } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormats, useT } from '../../../i18n';
import { ExactText } from '../../../ui';
import { loadPicture } from '../pictures';

/** Height of an image in pixels, small and large. */
const SMALL = 220;
const LARGE = 640;

/** The media in a result: images as such, everything else by name and size. */
export const CallMedia = ({ threadId, media }: { threadId: ThreadId; media: readonly Medium[] }) => {
  // A result does not change, so an item's index identifies it.
  const placed = media.map((medium, place) => ({ medium, place }));
  return (
    <div className="mt-1 mb-2 ml-6 flex flex-wrap items-start gap-2">
      {placed.map(({ medium, place }) =>
        medium.id === null ? (
          <Refused key={place} medium={medium} />
        ) : (
          <Picture key={place} threadId={threadId} medium={medium} />
        ),
      )}
    </div>
  );
};

/** A medium that is not shown as an image, with the reason if it is one. */
const Refused = ({ medium }: { medium: Medium }) => {
  const t = useT();
  return <Chip medium={medium} {...(medium.refused && { note: t('tools.pictureTooLarge') })} />;
};

type Loaded = { phase: 'loading' } | { phase: 'shown'; url: string } | { phase: 'failed'; why: string };

const Picture = ({ threadId, medium }: { threadId: ThreadId; medium: Medium }) => {
  const t = useT();
  const [loaded, setLoaded] = useState<Loaded>({ phase: 'loading' });
  const [isLarge, setLarge] = useState(false);
  const { id, width = SMALL, height = SMALL, name = '' } = medium;
  useEffect(() => {
    let isCurrent = true;
    const show = async () => {
      const picture = await loadPicture(threadId, id ?? '');
      if (!isCurrent) return;
      if (picture.ok) setLoaded({ phase: 'shown', url: picture.value });
      else {
        const { kind, message } = picture.error;
        setLoaded({ phase: 'failed', why: kind === 'not_found' ? t('tools.pictureGone') : message });
      }
    };
    void show();
    return () => {
      isCurrent = false;
    };
  }, [threadId, id, t]);
  if (loaded.phase === 'failed') return <Chip medium={medium} note={loaded.why} />;
  // The space is reserved before the image loads, so that nothing jumps; small images are not enlarged.
  const shownHeight = Math.min(height, isLarge ? LARGE : SMALL);
  const size = {
    width: Math.max(1, Math.round((width * shownHeight) / height)),
    aspectRatio: `${width} / ${height}`,
  };
  return (
    <button
      type="button"
      aria-expanded={isLarge}
      title={isLarge ? t('tools.closePicture') : t('tools.openPicture')}
      onClick={() => setLarge(!isLarge)}
      className="max-w-full overflow-hidden rounded-card border border-line bg-sunken"
      style={size}
    >
      {loaded.phase === 'shown' && (
        <img
          src={loaded.url}
          alt={t('tools.picture', { name })}
          width={width}
          height={height}
          draggable={false}
          decoding="async"
          onError={() => setLoaded({ phase: 'failed', why: t('tools.pictureFailed') })}
          className="size-full object-contain"
        />
      )}
    </button>
  );
};

const ICONS = { image: Image, audio: FileVolume, video: Film, file: FileText };
const NOUNS = {
  image: 'tools.mediaImage',
  audio: 'tools.mediaAudio',
  video: 'tools.mediaVideo',
  file: 'tools.mediaFile',
} as const;

const Chip = ({ medium, note }: { medium: Medium; note?: string }) => {
  const t = useT();
  const formats = useFormats();
  const Icon = ICONS[medium.kind];
  return (
    <span className="flex max-w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-small text-fg-2">
      <span className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-control border border-line bg-sunken px-2">
        <Icon aria-hidden size={14} className="shrink-0 text-fg-3" />
        <span className="shrink-0">{t(NOUNS[medium.kind])}</span>
        {medium.name !== undefined && (
          <span className="min-w-0 truncate font-mono text-code">
            <ExactText text={medium.name} oneLine />
          </span>
        )}
        <span className="shrink-0 text-fg-3 tabular-nums">{formats.bytes(medium.bytes)}</span>
      </span>
      {note !== undefined && <span>{note}</span>}
    </span>
  );
};
