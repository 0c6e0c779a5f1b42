import { type CanActivate, Injectable } from '@nestjs/common';
import { RemoteClusterSettings } from './remote-cluster.settings.js';
import { remoteClustersDisabled } from './remote-clusters.errors.js';
import { definePermissions } from '../platform/access/access.js';

/**
 * Answers 501 while ENABLE_REMOTE_CLUSTERS is false. Runs after the permission check and before the body is read
 * (docs/contract/secure-connections.md#administration).
 */
@Injectable()
export class RemoteClustersEnabledGuard implements CanActivate {
  constructor(private readonly settings: RemoteClusterSettings) {}

  canActivate(): boolean {
    if (!this.settings.enableRemoteClusters) throw remoteClustersDisabled();
    return true;
  }
}

/** The permission of secure connections. */
export const RemoteClusterPermission = definePermissions({
  ManageSecureConnections: ['manage_secure_connections'],
});
