import { type ReactNode, useEffect, useRef } from 'react';
import {
  Group,
  type Layout,
  type LayoutChangedMeta,
  Panel,
  useDefaultLayout,
  usePanelRef,
} from 'react-resizable-panels';
import { useFontScale } from '../ui';
import { Handle } from './handle';

interface SideProps {
  label: string;
  children: ReactNode;
}

/** Pixels that the threads have before the person chose: their titles are worth more of a large screen. */
export const sidebarWidth = (windowWidth: number): number =>
  Math.round(Math.min(320, Math.max(232, windowWidth * 0.12)));

/** Pixels of the panel of the threads at the default text size, as the person left it. */
const WIDTH = 'deepdesk:sidebar';
const keptWidth = (): number | undefined => Number(localStorage.getItem(WIDTH)) || undefined;

/** The panel of the threads. Its width in pixels grows and shrinks with the letters in it, not with the window. */
const Sidebar = ({ children }: { children: ReactNode }) => {
  const scale = useFontScale();
  const panel = usePanelRef();
  // Of this panel: one that comes with the change has the right size already, and cannot be asked for it yet.
  const last = useRef(scale);
  useEffect(() => {
    if (last.current === scale) return;
    const size = panel.current?.getSize().inPixels;
    if (size !== undefined) panel.current?.resize((size * scale) / last.current);
    last.current = scale;
  }, [panel, scale]);
  return (
    <Panel
      id="sidebar"
      panelRef={panel}
      defaultSize={(keptWidth() ?? sidebarWidth(window.innerWidth)) * scale}
      minSize={180 * scale}
      maxSize={380 * scale}
      groupResizeBehavior="preserve-pixel-size"
    >
      {children}
    </Panel>
  );
};

/** The threads at the left. They keep their width while the window changes its own. */
export const Columns = ({ beside, label, children }: SideProps & { beside: ReactNode | undefined }) => {
  const scale = useFontScale();
  const group = useRef<HTMLDivElement>(null);
  // What a narrow window took from it is none of the person's doing.
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

/** The share of the dock at first, and of one that has all the room there is for it. */
const SHARE = '32%';
const WIDE = '60%';

interface SplitProps extends SideProps {
  beside: ReactNode | undefined;
  /** What stands beside has all the room that can be spared for it. */
  isWide: boolean;
}

/** Files, changes and what else stands at the right. A larger window gives them their share of what it has more. */
export const Split = ({ beside, isWide, label, children }: SplitProps) => {
  const scale = useFontScale();
  const dock = usePanelRef();
  const was = useRef({ isWide, share: SHARE });
  useEffect(() => {
    const before = was.current;
    if (before.isWide === isWide) return;
    const share = dock.current?.getSize().asPercentage;
    was.current = { isWide, share: isWide && share !== undefined ? `${share}%` : before.share };
    dock.current?.resize(isWide ? WIDE : before.share);
  }, [isWide, dock]);
  const layout = useDefaultLayout({
    id: 'deepdesk:split',
    panelIds: beside ? ['centre', 'dock'] : ['centre'],
  });
  return (
    <Group orientation="horizontal" className="h-full" {...layout}>
      <Panel id="centre" minSize={480}>
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

/** The terminal below. In a low window it leaves the conversation room for a decision with its buttons. */
export const Rows = ({ below, label, children }: SideProps & { below: ReactNode | undefined }) => {
  const layout = useDefaultLayout({
    id: 'deepdesk:rows',
    panelIds: below ? ['upper', 'terminal'] : ['upper'],
  });
  return (
    <Group orientation="vertical" className="h-full" {...layout}>
      <Panel id="upper" minSize={240}>
        {children}
      </Panel>
      {below !== undefined && (
        <>
          <Handle direction="vertical" label={label} />
          <Panel id="terminal" defaultSize="30%" minSize={120}>
            {below}
          </Panel>
        </>
      )}
    </Group>
  );
};
