import { withOverridesShown } from '@contract/shared/unseen';
import {
  createContext,
  memo,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import ReactMarkdown, { type Components, defaultUrlTransform } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { leastWidth } from '../least-width';
import { PlainText, TextInstead } from '../text-instead';
import { useWords } from '../words';
import { CodeBlock } from './code-block';
import { Diagram } from './diagram';
import { useInlineCode } from './inline-code';
import { markdownBlocks } from './markdown-blocks';
import { isDrawable, remarkLimits } from './markdown-limits';
import { mathMarks, mayHoldMath } from './markdown-math';
import { isPathLink, pathOfLink, remarkPaths } from './markdown-paths';
import { useCheckPicture } from './own-pictures';

interface MarkdownProps {
  text: string;
  /** The text still grows: its last block is not colored yet. */
  streaming?: boolean;
  onOpenLink(url: string): void;
}

/**
 * Rendered Markdown. Raw HTML is shown as text. Pictures embedded in the text are shown; all others are never loaded and
 * become links. Formulas and diagrams load their packages on first use. Each block is memoized, so a streaming text renders
 * only its last block again and nothing above it moves.
 */
export const Markdown = ({ text, streaming = false, onOpenLink }: MarkdownProps) => {
  const { blocks, rest } = useMemo(() => markdownBlocks(withOverridesShown(text)), [text]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
        <TextInstead key={index} text={block}>
          <Block text={block} settled={!streaming || index < blocks.length - 1} onOpenLink={onOpenLink} />
        </TextInstead>
      ))}
      {rest !== '' && <PlainText text={rest} />}
    </div>
  );
};

const GFM = [remarkGfm, remarkLimits];

/** Pictures embedded in the text, of types that cannot run code. */
const OWN_PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;
/** Maximum UTF-16 units of an embedded picture. */
const MAX_PICTURE = 8_000_000;
const isOwnPicture = (url: unknown): url is string =>
  typeof url === 'string' && url.length <= MAX_PICTURE && OWN_PICTURE.test(url);

/** URLs that Markdown may contain, paths as links, and embedded pictures as a picture source. */
const urlTransform = (url: string, key: string) =>
  key === 'src'
    ? isOwnPicture(url)
      ? url
      : defaultUrlTransform(url)
    : isPathLink(url)
      ? url
      : defaultUrlTransform(url);

type Formulas = typeof import('./formulas');
let math: Formulas | undefined;

/** The packages for formulas, once loaded. They are loaded when a text first contains a formula. */
function useMath(wanted: boolean): Formulas | undefined {
  const [loaded, setLoaded] = useState(math);
  useEffect(() => {
    if (!wanted || math !== undefined) return;
    let isThere = true;
    void import('./formulas').then((module) => {
      math = module;
      if (isThere) setLoaded(module);
    });
    return () => {
      isThere = false;
    };
  }, [wanted]);
  return wanted ? (math ?? loaded) : undefined;
}

interface FormulaProps {
  tex: string;
  display: boolean;
  settled: boolean;
  formulas: Formulas;
}

const Formula = ({ tex, display, settled, formulas }: FormulaProps) => {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (element.current) formulas.drawFormula(tex, { display, settled }, element.current);
  }, [tex, display, settled, formulas]);
  return (
    <span ref={element} className={display ? 'block overflow-x-auto overflow-y-hidden py-1' : undefined} />
  );
};

/** Whether a link encloses this one: a nested link becomes plain text, so that one click opens one URL. */
const InLink = createContext(false);
/** Inline code can have a line break, too. */
const InBlock = createContext(false);

const Link = ({ url, children, onOpen }: { url: string; children: ReactNode; onOpen(url: string): void }) => (
  <a
    href={url}
    title={url}
    onClick={(event) => {
      event.preventDefault();
      onOpen(url);
    }}
  >
    <InLink value>{children}</InLink>
  </a>
);

/** A link to a file of the folder: as the part of the window draws it that shows the text. */
const PathLink = ({ path, children }: { path: string; children: ReactNode }) => {
  const Drawn = useInlineCode();
  return use(InLink) || Drawn === null ? <span>{children}</span> : <Drawn text={path}>{children}</Drawn>;
};

/** A picture that is not loaded: a link with its description. */
const FarPicture = ({ url, alt, onOpen }: { url: string; alt: string; onOpen(url: string): void }) => {
  const words = alt === '' ? url : alt;
  if (use(InLink) || url === '') return <span>{words}</span>;
  return (
    <Link url={url} onOpen={onOpen}>
      {words}
    </Link>
  );
};

/** A picture embedded in the text, shown if it is small enough to decode. */
const OwnPicture = ({ src, alt }: { src: string; alt: string }) => {
  const words = useWords();
  const check = useCheckPicture();
  const isShown = useMemo(() => check(src.slice(src.indexOf(',') + 1)), [check, src]);
  if (isShown)
    return <img src={src} alt={alt} decoding="async" className="max-h-96 max-w-full rounded-control" />;
  return (
    <span className="text-fg-3">
      {alt === '' ? words.pictureNotShown : `${alt} (${words.pictureNotShown})`}
    </span>
  );
};

/**
 * Removes the start of a possible closing fence from growing code: a line that appears and disappears would shift the rest.
 */
const withoutGrowingFence = (code: string) => code.replace(/(^|\n) {0,3}(?:`{1,2}|~{1,2})\n?$/, '$1');

/** Code in a line: as the part of the window draws it that shows the text. */
const InlineCode = ({ text }: { text: string }) => {
  const Drawn = useInlineCode();
  return use(InLink) || Drawn === null ? <code>{text}</code> : <Drawn text={text} />;
};

interface BlockProps {
  text: string;
  settled: boolean;
  onOpenLink(url: string): void;
}

const Block = memo(function Block(props: BlockProps) {
  return isDrawable(props.text) ? <DrawnBlock {...props} /> : <PlainText text={props.text} />;
});

const DrawnBlock = ({ text, settled, onOpenLink }: BlockProps) => {
  const words = useWords();
  const hasMath = mayHoldMath(text);
  const formulas = useMath(hasMath);
  const drawsPaths = useInlineCode() !== null;
  // Text that still grows would look for a file with each character.
  const hasPaths = drawsPaths && settled;
  const paths = hasPaths ? [remarkPaths] : [];
  const components = useMemo((): Components => {
    return {
      a: ({ href, children }) =>
        href === undefined || href === '' ? (
          <span>{children}</span>
        ) : drawsPaths && isPathLink(href) ? (
          <PathLink path={pathOfLink(href)}>{children}</PathLink>
        ) : (
          <Link url={href} onOpen={onOpenLink}>
            {children}
          </Link>
        ),
      img: ({ src, alt }) =>
        isOwnPicture(src) ? (
          <OwnPicture src={src} alt={alt ?? ''} />
        ) : (
          <FarPicture url={typeof src === 'string' ? src : ''} alt={alt ?? ''} onOpen={onOpenLink} />
        ),
      table: ({ children }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="table-scroll" tabIndex={0} aria-label={words.table}>
          <table>{children}</table>
        </section>
      ),
      th: ({ children, node, style }) => <th style={{ ...style, minWidth: leastWidth(node) }}>{children}</th>,
      td: ({ children, node, style }) => <td style={{ ...style, minWidth: leastWidth(node) }}>{children}</td>,
      // The checkbox of a task: read-only, and drawn by its icon so that it has a name.
      input: ({ checked }) => (
        <span data-task className="mr-1.5 font-mono">
          {checked ? '☑' : '☐'}
        </span>
      ),
      pre: ({ children }) => <InBlock value>{children}</InBlock>,
      code: ({ className, children }) => {
        const code = settled ? String(children) : withoutGrowingFence(String(children));
        if (formulas && className?.includes('language-math') === true)
          return (
            <Formula
              tex={code}
              display={className.includes('math-display')}
              settled={settled}
              formulas={formulas}
            />
          );
        if (!use(InBlock)) return <InlineCode text={code} />;
        if (className === 'language-mermaid')
          return <Diagram code={code.replace(/\n$/, '')} settled={settled} />;
        return (
          <CodeBlock
            code={code.replace(/\n$/, '')}
            language={/language-(\S+)/.exec(className ?? '')?.[1]}
            settled={settled}
          />
        );
      },
    };
  }, [settled, drawsPaths, onOpenLink, words, formulas]);
  return (
    <ReactMarkdown
      remarkPlugins={
        formulas ? [remarkGfm, formulas.remarkPlugin, remarkLimits, ...paths] : [...GFM, ...paths]
      }
      components={components}
      urlTransform={urlTransform}
    >
      {hasMath ? mathMarks(text) : text}
    </ReactMarkdown>
  );
};
