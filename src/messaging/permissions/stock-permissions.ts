const words = (text: string): string[] => text.trim().split(/\s+/);

/** Stock names that map to differently named permissions here. */
const TRANSLATED: Readonly<Record<string, readonly string[]>> = {
  manage_incoming_webhooks: ['manage_webhooks'],
  manage_own_incoming_webhooks: ['manage_webhooks'],
  manage_outgoing_webhooks: ['manage_webhooks'],
  manage_own_outgoing_webhooks: ['manage_webhooks'],
  manage_others_webhooks: ['manage_others_incoming_webhooks', 'manage_others_outgoing_webhooks'],
  manage_remote_clusters: ['manage_secure_connections'],
};

/** Stock names that mean the same here. */
const SHARED = words(`
  manage_system manage_roles edit_other_users read_other_users_teams read_audits view_members
  sysconsole_read_user_management_users sysconsole_write_user_management_users
  sysconsole_write_user_management_permissions sysconsole_write_user_management_system_roles
  manage_secure_connections manage_shared_channels
  manage_others_incoming_webhooks manage_others_outgoing_webhooks bypass_incoming_webhook_channel_lock
  create_user_access_token read_user_access_token revoke_user_access_token
  create_bot read_bots read_others_bots manage_bots manage_others_bots
  list_public_teams list_private_teams join_public_teams join_private_teams create_team
  manage_team manage_team_roles import_team view_team invite_user add_user_to_team remove_user_from_team
  list_team_channels join_public_channels read_public_channel create_public_channel create_private_channel
  create_direct_channel create_group_channel manage_channel_roles
  manage_public_channel_members manage_private_channel_members
  manage_public_channel_properties manage_private_channel_properties
  delete_public_channel delete_private_channel
  convert_public_channel_to_private convert_private_channel_to_public
  read_channel read_channel_content create_post create_post_public edit_post edit_others_posts
  delete_post delete_others_posts add_reaction remove_reaction upload_file get_public_link
  use_channel_mentions use_group_mentions
`);

/** Shared names that older stock clients do not know. */
const LATE = words('read_channel_content bypass_incoming_webhook_channel_lock');

/** The pages of the stock system console; each has a read and a write permission. */
const CONSOLE_PAGES = words(`
  about about_edition_and_license ai_recaps billing plugins products_boards
  authentication authentication_email authentication_guest_access authentication_ldap authentication_mfa
  authentication_openid authentication_password authentication_saml authentication_signup
  compliance compliance_compliance_export compliance_compliance_monitoring
  compliance_custom_terms_of_service compliance_data_retention_policy
  environment environment_database environment_developer environment_elasticsearch environment_file_storage
  environment_high_availability environment_image_proxy environment_logging environment_mobile_security
  environment_performance_monitoring environment_push_notification_server environment_rate_limiting
  environment_session_lengths environment_smtp environment_web_server
  experimental experimental_bleve experimental_feature_flags experimental_features
  integrations integrations_bot_accounts integrations_cors integrations_gif integrations_integration_management
  reporting reporting_server_logs reporting_site_statistics reporting_statistics reporting_team_statistics
  site site_announcement_banner site_customization site_emoji site_file_sharing_and_downloads site_ip_filters
  site_localization site_notices site_notifications site_posts site_public_links site_users_and_teams
  user_management_channels user_management_groups user_management_permissions user_management_system_roles
  user_management_teams user_management_users
`);

/** Stock names of features that this server does not have. */
const UNSUPPORTED = [
  ...CONSOLE_PAGES.flatMap((page) => [`sysconsole_read_${page}`, `sysconsole_write_${page}`]),
  ...words(`
    add_bookmark_private_channel add_bookmark_public_channel delete_bookmark_private_channel
    delete_bookmark_public_channel edit_bookmark_private_channel edit_bookmark_public_channel
    order_bookmark_private_channel order_bookmark_public_channel
    add_ldap_private_cert add_ldap_public_cert add_saml_idp_cert add_saml_private_cert add_saml_public_cert
    get_saml_cert_status get_saml_metadata_from_idp remove_ldap_private_cert remove_ldap_public_cert
    remove_saml_idp_cert remove_saml_private_cert remove_saml_public_cert
    admin_space create_space delete_space manage_space read_space
    admin_wiki create_wiki delete_wiki manage_wiki read_wiki
    comment_page create_page delete_own_page delete_page edit_own_page edit_page read_page
    assign_bot assign_system_admin_role create_post_ephemeral demote_to_guest download_compliance_export_result
    edit_brand edit_file_attachment get_analytics get_logs invalidate_caches invalidate_email_invite
    invite_guest list_users_without_team permanent_delete_user promote_guest purge_bleve_indexes
    purge_elasticsearch_indexes read_deleted_posts recycle_database_connections reload_config
    remove_others_reactions use_slash_commands
    create_compliance_export_job manage_compliance_export_job read_compliance_export_job
    create_data_retention_job manage_data_retention_job read_data_retention_job
    create_elasticsearch_post_aggregation_job manage_elasticsearch_post_aggregation_job
    read_elasticsearch_post_aggregation_job create_elasticsearch_post_indexing_job
    manage_elasticsearch_post_indexing_job read_elasticsearch_post_indexing_job
    create_ldap_sync_job manage_ldap_sync_job read_ldap_sync_job create_post_bleve_indexes_job
    manage_post_bleve_indexes_job manage_jobs read_jobs
    create_custom_group delete_custom_group edit_custom_group manage_custom_group_members restore_custom_group
    create_emojis delete_emojis delete_others_emojis manage_emojis manage_others_emojis
    create_reactions manage_bookmarks manage_members
    manage_channel_access_rules manage_channel_join_requests manage_team_access_rules
    manage_private_channel_auto_translation manage_private_channel_banner
    manage_private_channel_discoverability manage_public_channel_auto_translation manage_public_channel_banner
    read_private_channel_groups read_public_channel_groups
    manage_license_information read_license_information manage_own_agent manage_others_agent
    manage_oauth manage_outgoing_oauth_connections manage_system_wide_oauth
    manage_slash_commands manage_own_slash_commands manage_others_slash_commands
    playbook_private_create playbook_private_make_public playbook_private_manage_members
    playbook_private_manage_properties playbook_private_manage_roles playbook_private_view
    playbook_public_create playbook_public_make_private playbook_public_manage_members
    playbook_public_manage_properties playbook_public_manage_roles playbook_public_view
    playbook_run_create run_create run_manage_members run_manage_properties run_view
    test_elasticsearch test_email test_ldap test_s3 test_site_url
  `),
];

/** The permissions that each stock permission grants here; empty if it has no meaning here. */
export const STOCK_PERMISSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ...UNSUPPORTED.map((name) => [name, []] as const),
  ...SHARED.map((name) => [name, [name]] as const),
  ...Object.entries(TRANSLATED),
]);

/** All permissions granted by a role's permissions, including mapped stock names. */
export function grantedBy(permissions: readonly string[]): ReadonlySet<string> {
  return new Set(permissions.flatMap((name) => [name, ...(STOCK_PERMISSIONS.get(name) ?? [])]));
}

/** The permissions that a stock client can request under any name. */
const EXPRESSIBLE = new Set([...STOCK_PERMISSIONS.values()].flat());

/**
 * The permissions of a role that stay even though a client's list omits them
 * (docs/contract/messaging.md#stock-permissions): permissions that the list grants by a stock name, and, if
 * it has stock-only names, permissions that such a client may not know. `own`: this server's permissions.
 */
export function keptStockPermissions(
  list: ReadonlySet<string>,
  stored: readonly string[],
  own: ReadonlySet<string>,
): string[] {
  const granted = grantedBy([...list]);
  const isFromStock = [...list].some((name) => STOCK_PERMISSIONS.get(name)?.includes(name) === false);
  const mayBeUnknown = (name: string): boolean =>
    LATE.includes(name) || (own.has(name) && !EXPRESSIBLE.has(name));
  return stored.filter(
    (name) => !list.has(name) && (granted.has(name) || (isFromStock && mayBeUnknown(name))),
  );
}
