import { ServiceError } from '../../base/errors.ts';
import { openStore, type Store } from '../store/store.ts';

/** The store of a folder: opened on first use, and reopened after corruption or when it could not be written to. */
export interface StoreLifecycle {
  /** The open store. Throws `storage` (`damaged`) where it is corrupted; the next call opens it with a thorough check. */
  store(): Store;
  /**
   * Throws `storage` with the reason where the index cannot be written. An index that was read-only when opened is
   * reopened first: the disk may have room again.
   */
  checkWritable(): void;
  /**
   * Closes the store, which may be corrupted: the next call opens it with a thorough check and quarantines corrupted
   * files.
   */
  suspect(): void;
  close(): void;
}

/** @param directory of the index */
export function createStoreLifecycle(directory: string): StoreLifecycle {
  let opened: Store | undefined;
  let isSuspect = false;
  /** A thorough check has been made; another would find nothing new. */
  let isThorough = false;

  function close(): void {
    opened?.close();
    opened = undefined;
  }

  function suspect(): void {
    close();
    isSuspect = true;
  }

  function store(): Store {
    if (!isThorough && opened?.isCorrupted()) {
      suspect();
      throw new ServiceError('storage', { hint: 'damaged' });
    }
    opened ??= openStore(directory, isSuspect);
    isThorough ||= isSuspect;
    isSuspect = false;
    return opened;
  }

  return {
    store,
    checkWritable() {
      if (opened?.readOnlyReason !== undefined) close();
      const hint = store().readOnlyReason;
      if (hint !== undefined) throw new ServiceError('storage', { hint });
    },
    suspect,
    close,
  };
}
