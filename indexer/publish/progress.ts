/**
 * How far an upload or a download has come. Pure types.
 */

/** What has arrived, of what is on its way. */
export interface TransferProgress {
  readonly files: number;
  readonly allFiles: number;
  readonly bytes: number;
  readonly allBytes: number;
}
