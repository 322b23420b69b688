import { useMemo, useState } from 'react';
import { useT } from '../../../i18n';
import { openLink } from '../../../link';
import { CodeBlock, EmptyState, Markdown } from '../../../ui';
import { type NotebookCell, type NotebookOutput, readNotebook } from './notebook';
import { nameOf, type Place, useText } from './place';
import { Failed, failedOf, Kept, Waiting } from './waiting';

/** The cells of a notebook with their last output. Nothing in it runs. */
export const NotebookView = ({ place }: { place: Place }) => {
  const t = useT();
  const answer = useText(place);
  const text = answer.phase === 'there' ? answer.value.text : undefined;
  const read = useMemo(() => (text === undefined ? undefined : readNotebook(text)), [text]);
  const [last, setLast] = useState(read);
  if (read != null && read !== last) setLast(read);
  // Half of one, which another program is writing, leaves the one before on the screen.
  const notebook = read ?? last;
  if (answer.phase !== 'there' || read === undefined) return <Waiting answer={answer} />;
  if (answer.value.text.trim() === '' || notebook?.cells.length === 0)
    return <EmptyState>{t('files.emptyFile')}</EmptyState>;
  const broken = { error: { message: t('files.notebookBroken') } };
  if (notebook == null) return <Failed {...broken} />;
  return (
    <Kept failed={failedOf(answer) ?? (read === null ? broken : undefined)}>
      <div
        role="document"
        aria-label={nameOf(place.path)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        className="h-full overflow-auto px-4 py-3 -outline-offset-2"
      >
        <div className="mx-auto flex max-w-page-wide flex-col gap-3">
          {notebook.cells.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells have no id
            <Cell key={index} cell={cell} language={notebook.language} />
          ))}
          {notebook.cut && <p className="text-small text-fg-3">{t('files.notAllShown')}</p>}
        </div>
      </div>
    </Kept>
  );
};

const Cell = ({ cell, language }: { cell: NotebookCell; language: string }) => {
  const t = useT();
  if (cell.kind === 'markdown') return <Markdown text={cell.text} onOpenLink={openLink} />;
  if (cell.kind === 'raw') return <pre className="text-small whitespace-pre-wrap text-fg-2">{cell.text}</pre>;
  return (
    <section className="flex flex-col gap-1.5">
      <CodeBlock
        code={cell.text}
        language={language}
        title={cell.count === null ? t('files.cell') : t('files.cellRun', { count: cell.count })}
      />
      {cell.outputs.map((output, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs have no id
        <Output key={index} output={output} />
      ))}
    </section>
  );
};

const Output = ({ output }: { output: NotebookOutput }) => {
  const t = useT();
  if (output.kind === 'image')
    return (
      <img
        src={`data:${output.mimeType};base64,${output.data}`}
        alt={t('files.outputPicture')}
        decoding="async"
        className="max-w-full self-start rounded-control bg-white"
      />
    );
  if (output.kind === 'hidden')
    return (
      <p className="text-small text-fg-3">{t('files.outputHidden', { types: output.types.join(', ') })}</p>
    );
  return (
    <pre
      className={`max-h-96 overflow-auto border-l-2 pl-3 font-mono text-code whitespace-pre-wrap ${output.isError ? 'border-deny text-deny' : 'border-line text-fg-2'}`}
    >
      {output.text}
    </pre>
  );
};
