import { definePermissions } from '../access/permission.js';

/** The permissions of the audit log. */
export const AuditPermission = definePermissions({
  ReadAudits: ['read_audits'],
});
