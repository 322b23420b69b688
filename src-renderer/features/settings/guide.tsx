import { useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { openLink, toast } from '../../link';
import { Button, Markdown, Skeleton } from '../../ui';

/** The pages of the repository that ship with the app; each is loaded when it is opened. */
const PAGES = import.meta.glob<string>(
  ['../../../docs/guide/*.md', '../../../docs/{editor,formats,headless,security}.md'],
  { query: '?raw', import: 'default' },
);
const START = 'docs/guide/README.md';
const loaderOf = (page: string) => PAGES[`../../../${page}`];

/** A page from the root of the repository, and the heading to show. */
interface Spot {
  page: string;
  anchor: string;
}

/** The guide of the repository, without its pictures. */
export const Guide = () => {
  const t = useT();
  const [spot, setSpot] = useState<Spot>({ page: START, anchor: '' });
  const [text, setText] = useState<string | null>(null);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isThere = true;
    void loaderOf(spot.page)?.().then((raw) => {
      if (isThere) setText(raw);
    });
    return () => {
      isThere = false;
    };
  }, [spot.page]);
  useEffect(() => {
    if (text === null) return;
    const headings = [...(top.current?.querySelectorAll('h1, h2, h3, h4') ?? [])];
    const wanted = headings.find((heading) => anchorOf(heading.textContent ?? '') === spot.anchor);
    (wanted ?? top.current)?.scrollIntoView({ block: 'start' });
  }, [text, spot]);
  const open = (link: string) => {
    if (/^[a-z][a-z0-9+.-]*:/iu.test(link)) {
      void openLink(link);
      return;
    }
    const { pathname, hash } = new URL(link, `https://guide/${spot.page}`);
    const page = pathname.slice(1);
    if (loaderOf(page) === undefined) {
      toast(t('about.onlyInRepository', { path: page }));
      return;
    }
    if (page !== spot.page) setText(null);
    setSpot({ page, anchor: hash.slice(1) });
  };
  return (
    <div ref={top} className="mt-1 flex flex-col gap-2 text-read">
      {spot.page !== START && (
        <Button className="self-start" onClick={() => open(`/${START}`)}>
          {t('about.allPages')}
        </Button>
      )}
      {text === null ? <Skeleton /> : <Markdown text={withoutPictures(text)} onOpenLink={open} />}
    </div>
  );
};

/** Pictures do not ship, and marks of the scripts are not for readers. */
const withoutPictures = (text: string) =>
  text.replace(/^!\[[^\]]*\]\([^)]*\)\n*/gmu, '').replace(/^<!--.*-->\n*/gmu, '');

/** As GitHub makes it, which the links of the pages are written for. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
