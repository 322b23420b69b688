import { ChartNoAxesGantt, Code } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { IconButton } from './button';
import { CodeBlock, CopyButton } from './code-block';
import { type Drawing, drawDiagram } from './mermaid';
import { useWords } from './words';

/** The theme that the page has now (app/theme.ts sets it on the root). */
const isDark = () => document.documentElement.dataset.theme === 'dark';

function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** A diagram drawn from its source, which stands in its place while it is drawn, where it is wrong, and when asked for. */
export const Diagram = ({ code, settled }: { code: string; settled: boolean }) => {
  const words = useWords();
  const dark = useSyncExternalStore(watchTheme, isDark);
  const [drawing, setDrawing] = useState<Drawing>();
  const [failed, setFailed] = useState(false);
  const [asSource, setAsSource] = useState(false);

  useEffect(() => {
    if (!settled) return;
    let isWanted = true;
    drawDiagram(code, dark).then(
      (drawn) => {
        if (!isWanted) return;
        setDrawing(drawn);
        setFailed(false);
      },
      () => isWanted && setFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [code, settled, dark]);

  const toggle = (
    <IconButton
      size="sm"
      label={asSource ? words.showDiagram : words.showSource}
      onClick={() => setAsSource(!asSource)}
      icon={asSource ? <ChartNoAxesGantt size={14} /> : <Code size={14} />}
    />
  );
  if (drawing === undefined || failed || asSource)
    return (
      <CodeBlock
        code={code}
        language="mermaid"
        settled={settled}
        {...(failed ? { title: words.diagramFailed } : {})}
        {...(drawing !== undefined && !failed ? { actions: toggle } : {})}
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
