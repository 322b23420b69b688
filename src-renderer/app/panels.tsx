import { type ReactNode, useEffect, useRef } from 'react';
import {
  Group,
  type Layout,
  type LayoutChangedMeta,
  Panel,
  useDefaultLayout,
  usePanelRef,
} from 'react-resizable-panels';
import { fontScale, useFontScale } from '../ui';
import { Handle } from './handle';

interface SideProps {
  label: string;
  children: ReactNode;
}

/** Initial width of the thread list in pixels: titles deserve more space on a large screen. */
export const sidebarWidth = (windowWidth: number): number =>
  Math.round(Math.min(320, Math.max(232, windowWidth * 0.12)));

/** Width of the thread list in pixels at the default text size, as the person left it. */
const WIDTH = 'deepdesk:sidebar';
const keptWidth = (): number | undefined => Number(localStorage.getItem(WIDTH)) || undefined;

/** The panel of the thread list. Its width in pixels follows the text size, not the window. */
const Sidebar = ({ children }: { children: ReactNode }) => {
  const scale = useFontScale();
  const panel = usePanelRef();
  // The previous scale of this panel. A panel that mounts with the change already has the right size and cannot report it
  // yet.
  const last = useRef(scale);
  const first = useRef(sidebarWidth(window.innerWidth));
  const mounted = useRef(scale);
  // The group remembers the width that this panel had when it was last there, perhaps for another text size.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      panel.current?.resize((keptWidth() ?? first.current) * mounted.current),
    );
    return () => cancelAnimationFrame(frame);
  }, [panel]);
  useEffect(() => {
    if (last.current === scale) return;
    last.current = scale;
    // Not in proportion to the present width: a width that large text limited would stay small after it.
    panel.current?.resize((keptWidth() ?? first.current) * scale);
  }, [panel, scale]);
  return (
    <Panel
      id="sidebar"
      panelRef={panel}
      defaultSize={(keptWidth() ?? first.current) * scale}
      minSize={180 * scale}
      maxSize={380 * scale}
      groupResizeBehavior="preserve-pixel-size"
    >
      {children}
    </Panel>
  );
};

/** The thread list on the left. It keeps its width when the window is resized. */
export const Columns = ({ beside, label, children }: SideProps & { beside: ReactNode | undefined }) => {
  const scale = useFontScale();
  const group = useRef<HTMLDivElement>(null);
  // Only a person's drag is kept, not a width that a narrow window forced.
  const keep = ({ sidebar }: Layout, { isUserInteraction }: LayoutChangedMeta) => {
    const width = group.current?.offsetWidth;
    if (!isUserInteraction || sidebar === undefined || width === undefined) return;
    localStorage.setItem(WIDTH, String(Math.round((width * sidebar) / 100 / scale)));
  };
  return (
    <Group
      orientation="horizontal"
      className="min-h-0 grow basis-0"
      elementRef={group}
      onLayoutChanged={keep}
    >
      {beside !== undefined && (
        <>
          <Sidebar>{beside}</Sidebar>
          <Handle direction="horizontal" label={label} />
        </>
      )}
      <Panel id="main" minSize={480}>
        {children}
      </Panel>
    </Group>
  );
};

/** Initial share of the dock, and its share when it takes all available space. */
const SHARE = '32%';
const WIDE = '60%';
/** Stored with the widths of each person, so its spelling stays. */
const CENTER = 'centre';

interface SplitProps extends SideProps {
  beside: ReactNode | undefined;
  /** The panel beside takes all the space that can be spared. */
  isWide: boolean;
}

/**
 * Makes the share of a panel follow the text size, even while it is hidden. Returns what forgets the share,
 * for when a person drags it.
 */
function useScaledShare(panel: ReturnType<typeof usePanelRef>, scale: number, isShown: boolean): () => void {
  const last = useRef(scale);
  // The share at the default text size. Not in proportion to one that large text limited: it would stay small after it.
  const base = useRef<number>(undefined);
  useEffect(() => {
    if (!isShown) return;
    // A panel that mounts now has its size a frame later.
    const frame = requestAnimationFrame(() => {
      if (last.current === scale || panel.current === null) return;
      base.current ??= panel.current.getSize().asPercentage / last.current;
      last.current = scale;
      panel.current.resize(`${base.current * scale}%`);
    });
    return () => cancelAnimationFrame(frame);
  }, [panel, scale, isShown]);
  return () => {
    base.current = undefined;
  };
}

/** Files, changes and other panels on the right. They get their share of a larger window. */
export const Split = ({ beside, isWide, label, children }: SplitProps) => {
  const scale = useFontScale();
  const dock = usePanelRef();
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: 'deepdesk:split',
    panelIds: beside ? [CENTER, 'dock'] : [CENTER],
  });
  const kept = defaultLayout?.dock;
  const was = useRef({ isWide, share: kept === undefined ? SHARE : `${kept}%` });
  useEffect(() => {
    const before = was.current;
    if (before.isWide === isWide) return;
    const share = dock.current?.getSize().asPercentage;
    was.current = { isWide, share: isWide && share !== undefined ? `${share}%` : before.share };
    dock.current?.resize(isWide ? WIDE : before.share);
  }, [isWide, dock]);
  const forget = useScaledShare(dock, scale, beside !== undefined);
  return (
    <Group
      orientation="horizontal"
      className="h-full"
      defaultLayout={isWide ? undefined : defaultLayout}
      onLayoutChanged={(next, meta) => {
        if (meta.isUserInteraction) forget();
        // The wide share is that of an open file. After a restart without one, it would stay.
        if (!isWide) onLayoutChanged(next, meta);
      }}
    >
      <Panel id={CENTER} minSize={480}>
        {children}
      </Panel>
      {beside !== undefined && (
        <>
          <Handle direction="horizontal" label={label} />
          <Panel
            id="dock"
            panelRef={dock}
            defaultSize={isWide ? WIDE : SHARE}
            minSize={260 * scale}
            maxSize={WIDE}
          >
            {beside}
          </Panel>
        </>
      )}
    </Group>
  );
};

/** Smallest heights of the conversation and of the terminal in pixels. In the lowest window, both just fit. */
const UPPER = 288;
const TERMINAL = 72;
/** Pixels of the title bar. */
const ABOVE = 40;

/** Whether the window has the height for both. */
export const hasRoomForTerminal = (): boolean =>
  window.innerHeight >= (ABOVE + UPPER + TERMINAL) * fontScale();

/**
 * The terminal below. In a low window, or with large text, it leaves the conversation enough height for one of several
 * approvals with its buttons.
 */
export const Rows = ({ below, label, children }: SideProps & { below: ReactNode | undefined }) => {
  const scale = useFontScale();
  const layout = useDefaultLayout({
    id: 'deepdesk:rows',
    panelIds: below ? ['upper', 'terminal'] : ['upper'],
  });
  return (
    <Group orientation="vertical" className="h-full" {...layout}>
      <Panel id="upper" minSize={UPPER * scale}>
        {children}
      </Panel>
      {below !== undefined && (
        <>
          <Handle direction="vertical" label={label} />
          <Panel id="terminal" defaultSize="30%" minSize={TERMINAL * scale}>
            {below}
          </Panel>
        </>
      )}
    </Group>
  );
};
