import { Param, type PipeTransform } from '@nestjs/common';
import {
  BodyName,
  IdField,
  NameField,
  ShownAsRequired,
  StringField,
} from '../../platform/common/dto/fields.js';
import { RouteNotFound } from '../../platform/common/errors/common-errors.js';
import { describePathParam, documented } from '../../platform/common/dto/documented-param.js';
import { flagParam, idParam, QueryObject, textParam } from '../../platform/common/dto/params.js';
import { isAlphanumeric } from '../../platform/common/ids.js';

const NAME = {
  description:
    'Its short name here: 1 to 64 letters, digits, dots, dashes, underscores. It cannot be changed.',
  example: 'branch-office',
};
const DISPLAY_NAME = { description: 'At most 64 characters; the name when empty.', example: 'Branch office' };
const TEAM = { description: 'The team for channels of the peer.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' };
const CREATOR = { description: 'In local mode only: the creator.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' };

/** The request to create a connection. Unknown keys are ignored. */
@BodyName('remoteCluster')
export class CreateRemoteClusterDto {
  @ShownAsRequired() @StringField(NAME) name = '';
  @NameField(DISPLAY_NAME) display_name = '';
  @ShownAsRequired() @IdField(TEAM) default_team_id = '';
  @StringField({
    description: 'Encrypts the invite. If absent, the server generates one.',
    example: 'correct horse battery',
  })
  password = '';
  @IdField(CREATOR) creator_id = '';
}

/** The request to accept an invite. */
@BodyName('remoteCluster')
export class AcceptInviteDto {
  @ShownAsRequired() @StringField(NAME) name = '';
  @NameField(DISPLAY_NAME) display_name = '';
  @ShownAsRequired() @IdField(TEAM) default_team_id = '';
  @ShownAsRequired()
  @StringField({ description: 'The invite of the other server.', example: 'AAECAwQFBgc…PPzc8Q==' })
  invite = '';
  @ShownAsRequired()
  @StringField({ description: 'The password of the invite.', example: 'correct horse battery' })
  password = '';
  @IdField(CREATOR) creator_id = '';
}

/** Changes to a connection; absent fields stay unchanged. */
@BodyName('remotecluster')
export class PatchRemoteClusterDto {
  @NameField(DISPLAY_NAME) display_name?: string;
  @IdField(TEAM) default_team_id?: string;
}

/** The password for another invite. */
@BodyName('password')
export class GenerateInviteDto {
  @StringField({ required: true, description: 'Encrypts the invite.', example: 'correct horse battery' })
  password: string;
}

/** The query of a list of connections (docs/contract/secure-connections.md#list). */
export interface ClusterQuery {
  readonly excludeOffline: boolean;
  readonly inChannel: string | undefined;
  readonly notInChannel: string | undefined;
  readonly topic: string | undefined;
  readonly creatorId: string | undefined;
  readonly pluginId: string | undefined;
  readonly onlyConfirmed: boolean;
  readonly onlyPlugins: boolean;
  readonly excludePlugins: boolean;
  readonly includeDeleted: boolean;
}

export const QueryClusters = (): ParameterDecorator =>
  QueryObject<ClusterQuery>({
    excludeOffline: flagParam(
      'exclude_offline',
      'Only peers that have answered a ping within `PEER_OFFLINE_AFTER`.',
    ),
    inChannel: idParam('in_channel', 'Only those that share this channel.'),
    notInChannel: idParam('not_in_channel', 'Only those that do not share this channel.'),
    topic: textParam('topic', 'Only those that accept messages of this topic.'),
    creatorId: idParam('creator_id', 'Only those created by this user.'),
    pluginId: { ...textParam('plugin_id', 'Only those of this plugin.'), parse: (text) => text || undefined },
    onlyConfirmed: flagParam('only_confirmed', 'Exclude connections whose invite is still open.'),
    onlyPlugins: flagParam('only_plugins', 'Only those of plugins.'),
    excludePlugins: flagParam('exclude_plugins', 'Exclude those of plugins.'),
    includeDeleted: flagParam('include_deleted', 'Include deleted ones.'),
  });

/** A malformed id is treated as unknown instead of being rejected with a 400. */
class RemoteIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isAlphanumeric(value)) throw new RouteNotFound(':remote_id');
    return value;
  }
}

export const RemoteIdParam = (): ParameterDecorator =>
  documented(
    Param('remote_id', new RemoteIdPipe()),
    describePathParam('remote_id', { description: 'The connection.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }),
    false,
  );
