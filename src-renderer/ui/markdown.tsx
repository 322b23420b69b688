import { memo, type ReactNode, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block';
import { markdownBlocks } from './markdown-blocks';

interface MarkdownProps {
  text: string;
  /** The text still grows: its last block is not coloured yet. */
  streaming?: boolean;
  onOpenLink(url: string): void;
}

/**
 * Rendered Markdown. Raw HTML is shown as text, images are never loaded (they become links). Each block is memoised, so
 * that while text streams in only the last block is drawn again and what was read stays where it is.
 */
export const Markdown = ({ text, streaming = false, onOpenLink }: MarkdownProps) => {
  const blocks = useMemo(() => markdownBlocks(text), [text]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
          key={index}
          text={block}
          settled={!streaming || index < blocks.length - 1}
          onOpenLink={onOpenLink}
        />
      ))}
    </div>
  );
};

const Block = memo(function Block({
  text,
  settled,
  onOpenLink,
}: {
  text: string;
  settled: boolean;
  onOpenLink(url: string): void;
}) {
  const components = useMemo((): Components => {
    const link = (url: string | undefined, children: ReactNode) =>
      url === undefined || url === '' ? (
        <span>{children}</span>
      ) : (
        <a
          href={url}
          title={url}
          onClick={(event) => {
            event.preventDefault();
            onOpenLink(url);
          }}
        >
          {children}
        </a>
      );
    return {
      a: ({ href, children }) => link(href, children),
      img: ({ src, alt }) =>
        link(typeof src === 'string' ? src : undefined, alt || (typeof src === 'string' ? src : '')),
      table: ({ children }) => (
        <div className="table-scroll">
          <table>{children}</table>
        </div>
      ),
      // A task's box: read-only, and drawn by its sign so that it has a name.
      input: ({ checked }) => <span className="mr-1.5 font-mono">{checked ? '☑' : '☐'}</span>,
      pre: ({ children }) => <>{children}</>,
      code: ({ className, children, node }) => {
        const code = String(children);
        const isBlock =
          className !== undefined ||
          code.includes('\n') ||
          node?.position?.start.line !== node?.position?.end.line;
        if (!isBlock) return <code>{children}</code>;
        return (
          <CodeBlock
            code={code.replace(/\n$/, '')}
            language={/language-(\S+)/.exec(className ?? '')?.[1]}
            settled={settled}
          />
        );
      },
    };
  }, [settled, onOpenLink]);
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
      {text}
    </ReactMarkdown>
  );
});
