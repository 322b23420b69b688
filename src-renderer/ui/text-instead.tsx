import { Component, type ReactNode } from 'react';
import { useWords } from './words';

/** The plain text of something that was meant to be rendered, with the reason. */
export const PlainText = ({ text }: { text: string }) => {
  const words = useWords();
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-sunken">
      <figcaption className="border-b border-line px-3 py-1 text-small text-fg-3">{words.asText}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-144 overflow-auto px-3 py-2 font-mono text-code break-all whitespace-pre-wrap -outline-offset-2"
      >
        {text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}
      </pre>
    </figure>
  );
};

/** Maximum UTF-16 units; laying out more blocks the window. */
const MAX_LENGTH = 200_000;

interface State {
  text: string;
  hasFailed: boolean;
}

/** Shows the plain text if rendering fails, and tries again when the text changes. */
export class TextInstead extends Component<{ text: string; children: ReactNode }, State> {
  override state: State = { text: this.props.text, hasFailed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ text }: { text: string }, before: State): State | null {
    return text === before.text ? null : { text, hasFailed: false };
  }

  override render() {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children;
  }
}
