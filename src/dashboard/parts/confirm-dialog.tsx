import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  readonly verb: string;
  readonly danger?: boolean;
  /** Not to be pressed yet, or nothing to do. */
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done. Escape and Back say no. */
export function ConfirmDialog(props: Props) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div class="dialog-body">{props.children}</div>
      <div class="dialog-buttons">
        <button type="button" onClick={props.onClose}>
          Back
        </button>
        <button
          type="button"
          class={props.danger ? 'danger' : 'primary'}
          disabled={props.disabled}
          onClick={props.onConfirm}
        >
          {props.verb}
        </button>
      </div>
    </Dialog>
  );
}

export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} aria-label={props.title} onClose={props.onClose}>
      <h2>{props.title}</h2>
      {props.children}
    </dialog>
  );
}
