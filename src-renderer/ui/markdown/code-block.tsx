import { Check, Copy, Download, WrapText } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '../button';
import { cx } from '../cx';
import { useCopy } from '../use-copy';
import { useWords } from '../words';
import { useCodeActions } from './code-actions';
import { useHighlight } from './highlight';
import type { Token } from './highlighter';
import { languageOf } from './languages';

interface CodeBlockProps {
  code: string;
  /** The language of a fence, or a file name. */
  language?: string | undefined;
  /** Shown at the left of the bar instead of the language. */
  title?: string;
  /** False while the code still grows: it is shown plain until it stops growing. */
  settled?: boolean;
  maxHeight?: number;
  /** Numbers the lines, starting with this number. */
  firstLine?: number;
  /** More buttons in the bar. */
  actions?: ReactNode;
}

/** File extensions that differ from the name of their language. */
const ENDINGS: Record<string, string> = {
  bash: 'sh',
  csharp: 'cs',
  javascript: 'js',
  kotlin: 'kt',
  make: 'mk',
  markdown: 'md',
  mermaid: 'mmd',
  powershell: 'ps1',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  typescript: 'ts',
};

/** Maximum lines, and UTF-16 units, that are rendered as separate elements. Longer code is a single text node. */
const MAX_LINES = 5_000;
const MAX_CODE = 200_000;

function isLong(code: string): boolean {
  if (code.length > MAX_CODE) return true;
  let lines = 0;
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) lines += 1;
  return lines > MAX_LINES;
}

/** A file name that suits this code. */
function fileNameFor(language: string | undefined): string {
  const known = language === undefined ? undefined : (languageOf(language) ?? language.toLowerCase());
  if (known === undefined || !/^[a-z0-9]{1,12}$/.test(known)) return 'snippet.txt';
  return known === 'docker' ? 'Dockerfile' : `snippet.${ENDINGS[known] ?? known}`;
}

/** A code block, colored if the language is known, with copy and wrap buttons. */
export const CodeBlock = ({
  code,
  language,
  title,
  settled = true,
  maxHeight,
  firstLine,
  actions,
}: CodeBlockProps) => {
  const { save } = useCodeActions();
  const words = useWords();
  const [wrap, setWrap] = useState(false);
  const known = language === undefined ? undefined : languageOf(language);
  const isDiff = known === 'diff';
  const tokens = useHighlight(code, settled && !isDiff ? known : undefined);
  // Growing code is a single text node, so every token costs the same however long the code is.
  const lines: Token[][] | undefined =
    tokens ??
    ((settled || firstLine !== undefined) && !isLong(code)
      ? code.split('\n').map((text) => [{ text }])
      : undefined);
  return (
    <figure className="group/code overflow-hidden rounded-card border border-line bg-sunken">
      <figcaption className="flex h-7 items-center gap-2 border-b border-line pr-1 pl-3 text-small text-fg-3">
        <span className="min-w-0 grow truncate">{title ?? language ?? words.plainText}</span>
        <IconButton
          size="sm"
          label={words.wrap}
          pressed={wrap}
          onClick={() => setWrap(!wrap)}
          icon={<WrapText size={14} />}
        />
        {save !== undefined && (
          <IconButton
            size="sm"
            label={words.saveFile}
            disabled={!settled}
            onClick={() => save(fileNameFor(language), code.endsWith('\n') ? code : `${code}\n`)}
            icon={<Download size={14} />}
          />
        )}
        {actions}
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-auto px-3 py-2 -outline-offset-2" style={{ maxHeight }}>
        <code
          className={cx(
            'block font-mono text-code',
            wrap ? 'break-words whitespace-pre-wrap' : 'w-fit min-w-full',
          )}
        >
          {lines === undefined
            ? code
            : lines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                <span key={index} className={cx('block', isDiff && toneOf(line[0]?.text ?? ''))}>
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

/** The surface of a line of a diff. Added and removed lines look as in the app's own diffs. */
function toneOf(line: string): string | undefined {
  if (/^(?:@@|diff |index |--- |\+\+\+ )/.test(line)) return 'text-fg-3';
  return line.startsWith('+') ? 'bg-add' : line.startsWith('-') ? 'bg-del' : undefined;
}

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

/** Copies `text` and confirms it. */
export const CopyButton = ({ text, label }: { text: string; label?: string }) => {
  const words = useWords();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCopy();
  const confirm = () => {
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_FOR);
  };
  return (
    <IconButton
      size="sm"
      label={copied ? words.copied : (label ?? words.copy)}
      onClick={() => copy(text, confirm)}
      icon={copied ? <Check size={14} className="text-ok" /> : <Copy size={14} />}
    />
  );
};
