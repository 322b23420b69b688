import { MAX_PIXELS } from '@contract/picture-size';
import { useState } from 'react';
import { useT } from '../../../i18n';
import { nameOf, type Place, useAddress } from './place';
import { Failed, failedOf, Kept, Waiting } from './waiting';

/** Audio or video, streamed from the disk. A video is measured before it can be played. */
export const MediaView = ({ place, kind }: { place: Place; kind: 'audio' | 'video' }) => {
  const answer = useAddress(place);
  if (answer.phase !== 'there') return <Waiting answer={answer} />;
  const { url } = answer.value;
  // What was found out about one file says nothing about the next one.
  return (
    <Kept failed={failedOf(answer)}>
      <Player key={url} url={url} name={nameOf(place.path)} kind={kind} />
    </Kept>
  );
};

const Player = ({ url, name, kind }: { url: string; name: string; kind: 'audio' | 'video' }) => {
  const t = useT();
  const [isBroken, setBroken] = useState(false);
  const [fit, setFit] = useState<'unknown' | 'fits' | 'tooLarge'>('unknown');
  if (isBroken) return <Failed error={{ message: t('files.mediaBroken') }} />;
  if (fit === 'tooLarge') return <Failed error={{ message: t('files.videoTooLarge') }} />;
  const shared = {
    src: url,
    preload: 'metadata' as const,
    'aria-label': name,
    onError: () => setBroken(true),
  };
  return (
    <div className="grid h-full place-items-center bg-sunken p-4">
      {kind === 'audio' ? (
        <audio {...shared} controls className="w-full max-w-lg" />
      ) : (
        <video
          {...shared}
          controls={fit === 'fits'}
          onLoadedMetadata={({ currentTarget }) => setFit(fitOf(currentTarget))}
          className="max-h-full max-w-full"
        />
      )}
    </div>
  );
};

/** Checks the frame size. If the frames are too large to decode, releases the source immediately. */
function fitOf(video: HTMLVideoElement): 'fits' | 'tooLarge' {
  if (video.videoWidth * video.videoHeight <= MAX_PIXELS) return 'fits';
  video.removeAttribute('src');
  video.load();
  return 'tooLarge';
}
