import { ChartNoAxesGantt, Code } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { IconButton } from '../button';
import { useWords } from '../words';
import { CodeBlock, CopyButton } from './code-block';
import { type Drawing, useDrawDiagram } from './diagrams';

/** The current theme of the document (app/theme.ts sets it on the root element). */
const isDark = () => document.documentElement.dataset.theme === 'dark';

function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** A diagram drawn from its source. The source is shown while drawing, if it is invalid, and on request. */
export const Diagram = ({ code, settled }: { code: string; settled: boolean }) => {
  const words = useWords();
  const dark = useSyncExternalStore(watchTheme, isDark);
  const [drawing, setDrawing] = useState<Drawing>();
  const drawDiagram = useDrawDiagram();
  const [failed, setFailed] = useState<'slow' | 'wrong'>();
  const [asSource, setAsSource] = useState(false);

  useEffect(() => {
    if (!settled) return;
    let isWanted = true;
    drawDiagram(code, dark).then(
      (drawn) => {
        if (!isWanted) return;
        if (typeof drawn === 'string') setFailed(drawn);
        else {
          setDrawing(drawn);
          setFailed(undefined);
        }
      },
      () => isWanted && setFailed('wrong'),
    );
    return () => {
      isWanted = false;
    };
  }, [code, settled, dark, drawDiagram]);

  const toggle = (
    <IconButton
      size="sm"
      label={asSource ? words.showDiagram : words.showSource}
      onClick={() => setAsSource(!asSource)}
      icon={asSource ? <ChartNoAxesGantt size={14} /> : <Code size={14} />}
    />
  );
  if (drawing === undefined || failed !== undefined || asSource)
    return (
      <CodeBlock
        code={code}
        language="mermaid"
        settled={settled}
        {...(failed === undefined
          ? {}
          : { title: failed === 'slow' ? words.diagramSlow : words.diagramFailed })}
        {...(drawing !== undefined && failed === undefined ? { actions: toggle } : {})}
      />
    );
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-raised">
      <figcaption className="flex h-7 items-center gap-2 border-b border-line bg-sunken pr-1 pl-3 text-small text-fg-3">
        <span className="min-w-0 grow truncate">mermaid</span>
        {toggle}
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div tabIndex={0} className="max-h-144 overflow-auto p-3 -outline-offset-2">
        <img
          src={drawing.source}
          alt={words.diagram}
          width={drawing.width}
          height={drawing.height}
          className="mx-auto block h-auto max-w-full"
        />
      </div>
    </figure>
  );
};
