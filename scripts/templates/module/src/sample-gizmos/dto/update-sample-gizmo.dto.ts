import { BodyName, StringField } from '../../platform/common/dto/fields.js';

/** What a sample gizmo becomes. */
@BodyName('sample_gizmo')
export class UpdateSampleGizmoDto {
  @StringField({ required: true, description: '1 to 64 bytes.', example: 'First sample gizmo' })
  display_name: string;
}
