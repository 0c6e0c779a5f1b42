import { ApiProperty } from '@nestjs/swagger';
import type { SampleGizmo } from '../sample-gizmo.entity.js';

/** A sample gizmo as it leaves the server. */
export class SampleGizmoDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) id: string;
  @ApiProperty({ description: 'Milliseconds since 1970, as all times here.', example: 1764633600000 })
  create_at: number;
  @ApiProperty({ example: 1764633600000 }) update_at: number;
  @ApiProperty({ description: '0: not deleted.', example: 0 }) delete_at: number;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ description: 'Empty when local mode made it.', example: 'o1sd3xnpxjbwbyyhf9amnzpzyh' })
  creator_id: string;
  @ApiProperty({ example: 'First sample gizmo' }) display_name: string;

  static from(gizmo: SampleGizmo): SampleGizmoDto {
    return {
      id: gizmo.id,
      create_at: gizmo.createAt,
      update_at: gizmo.updateAt,
      delete_at: gizmo.deleteAt,
      team_id: gizmo.teamId,
      creator_id: gizmo.creatorId,
      display_name: gizmo.displayName,
    };
  }
}
