import { dialect } from '../config/dialect.js';

/**
 * Find options that read the latest committed row and lock it until the open transaction ends. SQLite needs no lock: it
 * has a single writer.
 */
export const FOR_UPDATE = dialect === 'mysql' ? { lock: { mode: 'pessimistic_write' as const } } : {};
