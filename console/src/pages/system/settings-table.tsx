import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { systemRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { Markdown } from '../../parts/markdown';
import { SearchField } from '../../parts/search-field';
import { type Setting, settingsInForce } from './system-queries';

const ORIGINS: Readonly<Record<Setting['origin'], string>> = {
  default: 'default',
  environment: 'environment',
  file: '.env file',
};

/** All effective settings, and where their values come from. */
export function SettingsTable(): ReactNode {
  const { search = '', set } = systemRoute.useSearch();
  const navigate = useNavigate();
  const query = useQuery(settingsInForce);
  const look = (text: string, isSet: boolean): void =>
    void navigate({
      to: '/system',
      search: { tab: 'settings', ...(text && { search: text }), ...(isSet && { set: 'only' }) },
      replace: isSet === (set !== undefined) && search !== '',
    });
  const isWanted = (setting: Setting): boolean =>
    fits(setting, search) && (set === undefined || setting.origin !== 'default');
  return (
    <>
      <div className="row">
        <SearchField
          label="Search settings"
          value={search}
          onSearch={(text) => look(text, set !== undefined)}
        />
        <Checkbox
          label="Only changed settings"
          checked={set !== undefined}
          onChange={({ target }) => look(search, target.checked)}
        />
      </div>
      <Loaded query={query}>
        {({ process, settings }) => (
          <>
            <p className="muted">
              The settings of process {process.process_id}
              {process.is_one_of_several && '; others may have been started with other settings'}. Change them
              in the environment or in <code>.env</code>; changes take effect at the next start.
            </p>
            <Sections settings={settings.filter(isWanted)} />
          </>
        )}
      </Loaded>
    </>
  );
}

function fits({ name, meaning, section, origin }: Setting, search: string): boolean {
  const text = `${name} ${meaning} ${section} ${ORIGINS[origin]}`.toLowerCase();
  return text.includes(search.toLowerCase());
}

function Sections({ settings }: { readonly settings: readonly Setting[] }): ReactNode {
  const sections = [...new Set(settings.map(({ section }) => section))];
  if (sections.length === 0) return <p className="empty">No settings match.</p>;
  return sections.map((section) => (
    <section key={section} aria-label={section}>
      <h2>{section}</h2>
      <div className="table" role="region" aria-label={`Table: ${section}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Setting</th>
              <th>In force</th>
              <th>From</th>
            </tr>
          </thead>
          <tbody>
            {settings
              .filter((setting) => setting.section === section)
              .map((setting) => (
                <SettingRow key={setting.name} setting={setting} />
              ))}
          </tbody>
        </table>
      </div>
    </section>
  ));
}

function SettingRow({ setting }: { readonly setting: Setting }): ReactNode {
  const { name, meaning, value, default_value: fallback, origin, is_hidden: isHidden } = setting;
  return (
    <tr>
      <td>
        <code>{name}</code>
        <Markdown text={withoutLinks(meaning)} />
      </td>
      <td className="long">
        {isHidden ? <span className="muted">set, not shown</span> : <code>{value || '(none)'}</code>}
      </td>
      <td>
        {origin === 'default' ? (
          <span className="muted">{ORIGINS[origin]}</span>
        ) : (
          <Badge tone="quiet">{ORIGINS[origin]}</Badge>
        )}
        {origin !== 'default' && fallback !== '' && fallback !== value && (
          <div className="muted">
            default <code>{fallback}</code>
          </div>
        )}
      </td>
    </tr>
  );
}

/** Removes links, which point to other documentation pages. */
const withoutLinks = (text: string): string => text.replace(/\[([^\]]{1,200})\]\([^)]{1,200}\)/g, '$1');
