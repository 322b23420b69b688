import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Rendered instead; `retry` renders the children again. */
  fallback(error: Error, retry: () => void): ReactNode;
  children: ReactNode;
}

/** Keeps a bug in one part of the window from breaking the rest. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error
      ? this.props.fallback(error, () => this.setState({ error: undefined }))
      : this.props.children;
  }
}
