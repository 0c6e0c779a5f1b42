import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Clock } from '../../platform/common/clock.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { MessageAnswerDto, PeerPingDto } from '../dto/remote-cluster.dto.js';
import { ConfirmationService } from '../handshake.service.js';
import { Topics } from '../messages/topics.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import type { Frame } from './frame.js';
import { CurrentPeer, PeerFrame, RemotePeer } from './remote-peer.guard.js';

/** Routes for peers of secure connections (docs/contract/secure-connections.md#peer-authentication). */
@ApiTags('between servers')
@Controller('remotecluster')
@RemotePeer()
export class PeerController {
  constructor(
    private readonly confirmation: ConfirmationService,
    private readonly topics: Topics,
    private readonly clock: Clock,
  ) {}

  @Post('ping')
  @Operation({ summary: 'Answer a ping', ok: PeerPingDto, errors: [501] })
  ping(@PeerFrame() { payload }: Frame): PeerPingDto {
    return PeerPingDto.to(payload, this.clock.now());
  }

  @Post('msg')
  @Audited('remoteClusterAcceptMessage', 'remote_id', { keep: ['msg.id', 'msg.topic'] })
  @Operation({
    summary: 'Receive a message',
    description: 'An unknown topic returns OK and is ignored.',
    ok: MessageAnswerDto,
    errors: [501],
  })
  message(@CurrentPeer() peer: RemoteCluster, @PeerFrame() frame: Frame): Promise<MessageAnswerDto> {
    return this.topics.receive(peer, frame);
  }

  @Post('confirm_invite')
  @Audited('remoteClusterAcceptInvite', 'remote_id', { keep: ['msg.id', 'msg.topic'] })
  @Operation({
    summary: 'Confirm an invite',
    description: 'The invited peer sends its URL and its new token.',
    ok: StatusOkDto,
    errors: [501],
  })
  async confirmInvite(@CurrentPeer() peer: RemoteCluster, @PeerFrame() frame: Frame): Promise<StatusOkDto> {
    await this.confirmation.confirm(peer, frame);
    return STATUS_OK;
  }
}
