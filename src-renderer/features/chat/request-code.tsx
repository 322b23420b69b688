import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { PathCode } from './path-code';

/** Puts a request into the composer; null where answers do not offer requests. */
export const OfferedRequests = createContext<((request: string) => void) | null>(null);

/** Whether the code is a whole item of a list, or a whole cell of a table. */
const isRow = (element: HTMLElement | null): boolean =>
  element?.closest('li, td')?.textContent?.trim() === element?.textContent;

/** Code in an answer of the offline assistant: where it is a row, a click puts it into the composer. */
export const AnswerCode = ({ text, children }: { text: string; children?: ReactNode }) => {
  const onUse = use(OfferedRequests);
  if (onUse === null || children !== undefined) return <PathCode text={text}>{children}</PathCode>;
  return <RequestCode text={text} onUse={onUse} />;
};

const RequestCode = ({ text, onUse }: { text: string; onUse(request: string): void }) => {
  const t = useT();
  const element = useRef<HTMLSpanElement>(null);
  const [isOffered, setOffered] = useState(false);
  useLayoutEffect(() => setOffered(isRow(element.current)), []);
  return (
    <span ref={element}>
      {isOffered ? (
        <button
          type="button"
          title={t('chat.useRequest')}
          onClick={() => onUse(text)}
          className="inline cursor-pointer rounded-mark text-left wrap-anywhere text-accent hover:underline"
        >
          <code>{text}</code>
        </button>
      ) : (
        <PathCode text={text} />
      )}
    </span>
  );
};
