import { optional } from '@contract/shared/optional';
import { RotateCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useT } from '../../i18n';
import { Button, ErrorNote, Skeleton } from '../../ui';
import { FileText } from './file-text';
import { FindBar } from './find-bar';
import type { OpenFile } from './lines';
import { useBlame } from './use-blame';
import { useSearch } from './use-search';
import { HexView } from './viewers/hex-view';
import { nameOf, type Place } from './viewers/place';

interface TextViewProps {
  place: Place;
  file: OpenFile;
  wrap: boolean;
  blame: boolean;
  find: boolean;
  /** The target line (0-based). */
  goTo: { line: number } | undefined;
  onShow(first: number, last: number): void;
  /** Called when the target line (0-based) is beyond the known lines. */
  onReach(line: number): void;
  onReload(): void;
  onCloseFind(): void;
}

/** Shows a file as lines of text, or as bytes if it is binary. */
export const TextView = (props: TextViewProps) => {
  const { place, file, wrap, blame, find, goTo, onShow, onReach, onReload, onCloseFind } = props;
  const t = useT();
  const changed = useChanges(file);
  const { search, setQuery, step } = useSearch(place, changed);
  const margin = useBlame(place, blame, changed);
  const found = search.lines[search.at];
  const foundAt = useMemo(() => (found === undefined ? undefined : { line: found }), [found]);

  if (file.phase === 'loading') return <Skeleton lines={8} />;
  if (file.phase === 'failed')
    return (
      <div className="p-3">
        <ErrorNote
          message={file.error.kind === 'not_found' ? t('files.viewerGone') : file.error.message}
          detail={file.error.detail}
          actions={
            <Button size="sm" icon={<RotateCw size={14} />} onClick={onReload}>
              {t('files.refresh')}
            </Button>
          }
        />
      </div>
    );
  if (file.phase === 'binary') return <HexView place={place} size={file.size} />;
  return (
    <div className="flex h-full flex-col">
      {find && (
        <FindBar
          search={search}
          onQuery={setQuery}
          onStep={step}
          onClose={() => {
            setQuery('');
            onCloseFind();
          }}
        />
      )}
      <div className="min-h-0 grow">
        <FileText
          file={file}
          name={nameOf(place.path)}
          place={place}
          wrap={wrap}
          onShow={onShow}
          onReach={onReach}
          goTo={find && foundAt !== undefined ? foundAt : goTo}
          query={find ? search.query : ''}
          {...optional({ margin })}
        />
      </div>
    </div>
  );
};

/** Counts up whenever the first page of a file is replaced, which means that the file changed. */
function useChanges(file: OpenFile): number {
  const first = file.phase === 'text' ? file.pages.get(0) : undefined;
  const [count, setCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts its changes
  useEffect(() => setCount((before) => before + 1), [first]);
  return count;
}
