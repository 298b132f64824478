/** What the CLI needs of stdout and stderr. */
export interface OutputStream {
  write(chunk: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}
