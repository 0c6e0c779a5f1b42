import { LenientBody } from '../../../platform/common/dto/body.pipe.js';
import {
  BodyName,
  IdField,
  ShownAsRequired,
  StringField,
  UnsupportedField,
} from '../../../platform/common/dto/fields.js';

/** A body that cannot be read counts as one without a password, which is what the contract answers to. */
@LenientBody('password')
@BodyName('login')
export class LoginDto {
  @StringField({ description: 'Username or e-mail address.', example: 'admin' }) login_id = '';
  @IdField({ description: 'The id of the account, instead of login_id.', example: '' }) id = '';
  @ShownAsRequired()
  @StringField({ description: 'The password.', example: 'correct horse battery' })
  password = '';
  @StringField({
    description: 'Of a mobile client; the new session replaces those of the same device.',
    example: '',
  })
  device_id = '';
  @UnsupportedField('accounts sign in by password') ldap_only?: unknown;
}
