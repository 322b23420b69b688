import { Check, Copy, WrapText } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from './button';
import { cx } from './cx';
import { languageOf, type Token, useHighlight } from './highlight';
import { useWords } from './words';

interface CodeBlockProps {
  code: string;
  /** A fence's name or a file name. */
  language?: string | undefined;
  /** Shown at the left of its bar in place of the language. */
  title?: string;
  /** False while the code still grows: it is shown plain until it stands still. */
  settled?: boolean;
  maxHeight?: number;
  /** Lines carry their number, beginning with this. */
  firstLine?: number;
}

/** Code in a well, coloured where the language is known, with copy and wrap. */
export const CodeBlock = ({
  code,
  language,
  title,
  settled = true,
  maxHeight,
  firstLine,
}: CodeBlockProps) => {
  const words = useWords();
  const [wrap, setWrap] = useState(false);
  const tokens = useHighlight(code, settled && language !== undefined ? languageOf(language) : undefined);
  const lines: Token[][] = tokens ?? code.split('\n').map((text) => [{ text }]);
  return (
    <figure className="group/code overflow-hidden rounded-card border border-line bg-sunken">
      <figcaption className="flex h-7 items-center gap-2 border-b border-line pr-1 pl-3 text-small text-fg-3">
        <span className="min-w-0 grow truncate">{title ?? language}</span>
        <IconButton
          size="sm"
          label={words.wrap}
          pressed={wrap}
          onClick={() => setWrap(!wrap)}
          icon={<WrapText size={14} strokeWidth={1.5} />}
        />
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-auto px-3 py-2 -outline-offset-2" style={{ maxHeight }}>
        <code
          className={cx(
            'block font-mono text-[0.78125rem] leading-5',
            wrap ? 'break-words whitespace-pre-wrap' : 'w-fit',
          )}
        >
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            <span key={index} className="block">
              {firstLine !== undefined && (
                <span aria-hidden className="mr-3 inline-block w-8 text-right text-fg-3 select-none">
                  {firstLine + index}
                </span>
              )}
              <Tokens line={line} />
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
};

/** One line of tokens. */
export const Tokens = ({ line }: { line: readonly Token[] }) =>
  line.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
    <span key={index} style={token.color === undefined ? undefined : { color: token.color }}>
      {token.text}
    </span>
  ));

/** Milliseconds for which "Copied" is shown. */
const COPIED_FOR = 1_500;

/** Copies `text` and says so. */
export const CopyButton = ({ text, label }: { text: string; label?: string }) => {
  const words = useWords();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_FOR);
  };
  return (
    <IconButton
      size="sm"
      label={copied ? words.copied : (label ?? words.copy)}
      onClick={() => void copy()}
      icon={copied ? <Check size={14} className="text-ok" /> : <Copy size={14} strokeWidth={1.5} />}
    />
  );
};
