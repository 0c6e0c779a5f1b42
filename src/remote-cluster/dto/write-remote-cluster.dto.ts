import {
  BodyName,
  IdField,
  ShownAsRequired,
  NameField,
  StringField,
} from '../../platform/common/dto/fields.js';

const NAME = {
  description:
    'Its short name here: 1 to 64 letters, digits, dots, dashes, underscores. It cannot be changed.',
  example: 'branch-office',
};
const DISPLAY_NAME = { description: 'At most 64 characters; the name when empty.', example: 'Branch office' };
const TEAM = {
  description: 'The team in which channels of the peer appear.',
  example: 'm4agnt8dxtywdgcmo9nwx5kk8w',
};
const CREATOR = { description: 'In local mode only: who makes it.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' };

/** What it takes to make a connection. Other keys are ignored. */
@BodyName('remoteCluster')
export class CreateRemoteClusterDto {
  @ShownAsRequired() @StringField(NAME) name = '';
  @NameField(DISPLAY_NAME) display_name = '';
  @ShownAsRequired() @IdField(TEAM) default_team_id = '';
  @StringField({
    description: 'Opens the invite. Left out: the server makes one.',
    example: 'correct horse battery',
  })
  password = '';
  @IdField(CREATOR) creator_id = '';
}

/** What it takes to accept an invite. */
@BodyName('remoteCluster')
export class AcceptInviteDto {
  @ShownAsRequired() @StringField(NAME) name = '';
  @NameField(DISPLAY_NAME) display_name = '';
  @ShownAsRequired() @IdField(TEAM) default_team_id = '';
  @ShownAsRequired()
  @StringField({
    description: 'The invite, as the other server has given it.',
    example: 'AAECAwQFBgc…PPzc8Q==',
  })
  invite = '';
  @ShownAsRequired()
  @StringField({ description: 'The password of the invite.', example: 'correct horse battery' })
  password = '';
  @IdField(CREATOR) creator_id = '';
}

/** What may change in a connection; what is absent stays. */
@BodyName('remotecluster')
export class PatchRemoteClusterDto {
  @NameField(DISPLAY_NAME) display_name?: string;
  @IdField(TEAM) default_team_id?: string;
}

/** The password of a further invite. */
@BodyName('password')
export class GenerateInviteDto {
  @StringField({ required: true, description: 'Opens the invite.', example: 'correct horse battery' })
  password: string;
}
