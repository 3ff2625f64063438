import { CircleAlert } from "lucide-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { errorText } from "../lib/format";
import { Button } from "./Button";

interface Props {
  /** What failed, as a person would call it: "This pane". */
  what: string;
  /** Label of the button that draws it anew. */
  action: string;
  onError?: (error: unknown) => void;
  children: ReactNode;
}

/** Keeps a failure where it happened, says what it was, and offers to draw the part anew. */
export class ErrorBoundary extends Component<Props, { error: unknown; failed: boolean }> {
  override state = { error: undefined as unknown, failed: false };

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown, _info: ErrorInfo): void {
    this.props.onError?.(error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="p-4">
        <div className="err" role="alert">
          <h3>
            <CircleAlert className="ic" aria-hidden />
            {this.props.what} could not be drawn
          </h3>
          <p>{errorText(this.state.error)}</p>
          <p>What runs behind it is not touched by this.</p>
          <div className="go">
            <Button small look="primary" onClick={() => this.setState({ failed: false, error: undefined })}>
              {this.props.action}
            </Button>
          </div>
        </div>
      </div>
    );
  }
}
