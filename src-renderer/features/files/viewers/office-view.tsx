import type { Output } from '@contract/commands';
import { useMemo, useState } from 'react';
import { useT } from '../../../i18n';
import { cx, EmptyState, ExactText, Tabs, VirtualList } from '../../../ui';
import { nameOf, type Place, useDocument } from './place';
import { TableRows } from './table-view';
import { failedOf, Kept, Waiting } from './waiting';

type Document = Output<'files.document'>;
type Section = Document['sections'][number];

/** Height in pixels of a line, at the default text size; the lines are measured. */
const LINE = 28;

/** The text of an office document: paragraphs, slides, or the cells of its sheets. */
export const OfficeView = ({ place }: { place: Place }) => {
  const t = useT();
  const answer = useDocument(place);
  if (answer.phase !== 'there') return <Waiting answer={answer} />;
  const { sections, unit } = answer.value;
  if (sections.every(({ lines }) => lines.length === 0))
    return <EmptyState>{t('files.documentEmpty')}</EmptyState>;
  const name = nameOf(place.path);
  return (
    <Kept failed={failedOf(answer)}>
      {unit === 'row' ? (
        <Sheets document={answer.value} name={name} />
      ) : (
        <Pages document={answer.value} name={name} />
      )}
    </Kept>
  );
};

const Sheets = ({ document: { sections, cut }, name }: { document: Document; name: string }) => {
  const [at, setAt] = useState('0');
  const last = sections.length - 1;
  const value = Number(at) > last ? '0' : at;
  return (
    <Tabs
      label={name}
      value={value}
      onChange={setAt}
      tabs={sections.map((section, index) => ({
        id: String(index),
        label: section.name,
        content: <Sheet section={section} name={section.name} cut={cut && index === last} />,
      }))}
    />
  );
};

const Sheet = ({ section, name, cut }: { section: Section; name: string; cut: boolean }) => {
  const t = useT();
  const table = useMemo(() => ({ rows: section.lines.map((line) => line.split('\t')), cut }), [section, cut]);
  if (table.rows.length === 0) return <EmptyState>{t('files.sheetEmpty')}</EmptyState>;
  return <TableRows table={table} name={name} />;
};

interface Line {
  key: string;
  text: string;
  /** 1-based, above the first line of a slide. */
  slide?: number;
}

const Pages = ({ document: { unit, sections, cut }, name }: { document: Document; name: string }) => {
  const t = useT();
  const lines = useMemo(() => linesOf(unit, sections), [unit, sections]);
  return (
    <div className="flex h-full flex-col">
      <VirtualList
        items={lines}
        itemKey={(line) => line.key}
        rowHeight={LINE}
        measured
        role="document"
        aria-label={t('files.content', { name })}
        className="selectable min-h-0 grow px-4 py-3"
      >
        {({ slide, text }) => (
          <>
            {slide !== undefined && (
              <h3
                className={cx(
                  'mb-1 text-small font-medium text-fg-3',
                  slide > 1 && 'mt-3 border-t border-line pt-3',
                )}
              >
                {t('files.slide', { count: slide })}
              </h3>
            )}
            <p className="pb-2 break-words whitespace-pre-wrap">
              <ExactText text={text} />
            </p>
          </>
        )}
      </VirtualList>
      <p className="shrink-0 border-t border-line px-3 py-1 text-small text-fg-3">
        {t('files.documentText')}
        {cut && ` · ${t('files.documentCut')}`}
      </p>
    </div>
  );
};

function linesOf(unit: Document['unit'], sections: readonly Section[]): Line[] {
  return sections.flatMap(({ lines }, section) =>
    (lines.length === 0 ? [''] : lines).map((text, index) => ({
      key: `${section}-${index}`,
      text,
      ...(unit === 'slide' && index === 0 ? { slide: section + 1 } : {}),
    })),
  );
}
