import { BodyName, IdField, StringField } from '../../platform/common/dto/fields.js';

/** What it takes to create a sample gizmo. */
@BodyName('sample_gizmo')
export class CreateSampleGizmoDto {
  @IdField({ required: true, description: 'The team.', example: 'm4agnt8dxtywdgcmo9nwx5kk8w' })
  team_id: string;
  @StringField({ required: true, description: '1 to 64 bytes.', example: 'First sample gizmo' })
  display_name: string;
}
