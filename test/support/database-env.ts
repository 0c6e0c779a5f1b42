/* Runs before any entity is loaded: column types follow the database of the suite (src/platform/config/settings.ts). */
process.env['DATABASE_URL'] = process.env['TEST_DATABASE'] === 'mysql' ? process.env['TEST_MYSQL_URL'] : '';
