import { definedOnly } from '../../platform/common/defined-only.js';
import type { UserFieldsDto } from './dto/write-user.dto.js';
import { type Profile, stringMap } from './user-rules.js';

/** The fields of a body as they are stored, without omitted ones. Throws InvalidBodyParam. */
export function profileChange(body: UserFieldsDto): Partial<Profile> {
  return definedOnly({
    username: body.username?.toLowerCase(),
    email: body.email?.toLowerCase(),
    nickname: body.nickname,
    firstName: body.first_name,
    lastName: body.last_name,
    position: body.position,
    locale: body.locale,
    timezone: body.timezone && stringMap('timezone', body.timezone),
    props: body.props && stringMap('props', body.props),
    notifyProps: body.notify_props && stringMap('notify_props', body.notify_props),
  });
}
