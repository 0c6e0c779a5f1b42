import { definePermissions } from '../access/permission.js';

/** What the audit log asks for. */
export const AuditPermission = definePermissions({
  ReadAudits: ['read_audits'],
});
