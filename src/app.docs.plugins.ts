/**
 * The part of the /api/docs script that customizes Swagger UI: error responses are collapsed to one line, and
 * the filter searches calls by path, name and summary, while Swagger UI filters only groups.
 */
export const DOCS_PLUGINS = `
const foldedErrors = {
  wrapComponents: {
    response: (Original, { React }) => (props) => {
      const { createElement } = React;
      const [isOpen, setOpen] = React.useState(false);
      if (Number(props.code) < 400) return createElement(Original, props);
      const example = props.response.getIn(['content', 'application/json', 'example']);
      const toggle = { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) };
      return createElement(
        'tr',
        { className: isOpen ? 'response error' : 'response error folded', 'data-code': props.code },
        createElement('td', { className: 'response-col_status' }, props.code),
        createElement(
          'td',
          { className: 'response-col_description' },
          props.response.get('description') + ' ',
          example && createElement('button', toggle, createElement('code', null, example.get('id'))),
          isOpen && createElement('pre', null, JSON.stringify(example, null, 2)),
        ),
      );
    },
  },
};

function matches(words, tag, operation) {
  const details = operation.get('operation');
  const text = [tag, operation.get('method'), operation.get('path'), details.get('summary'), details.get('operationId')]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

const findCalls = {
  fn: {
    opsFilter: (groups, phrase) => {
      const words = phrase.toLowerCase().split(' ').filter(Boolean);
      return groups
        .map((group, tag) =>
          group.update('operations', (operations) => operations.filter((each) => matches(words, tag, each))),
        )
        .filter((group) => group.get('operations').size > 0);
    },
  },
  components: {
    FilterContainer: ({ layoutSelectors, layoutActions, specSelectors, fn, getSystem }) => {
      const { React } = getSystem();
      const current = layoutSelectors.currentFilter();
      const find = (phrase) => {
        layoutActions.updateFilter(phrase);
        const groups = specSelectors.taggedOperations();
        const found = phrase.trim() === '' ? groups.clear() : fn.opsFilter(groups, phrase);
        for (const tag of groups.keys()) layoutActions.show(['operations-tag', tag], found.has(tag));
      };
      const input = React.createElement('input', {
        className: 'operation-filter-input',
        type: 'search',
        'aria-label': 'Find calls',
        placeholder: 'Find calls, by path or by what they do: create webhook',
        value: typeof current === 'string' ? current : '',
        onChange: (event) => find(event.target.value),
      });
      return React.createElement('div', { className: 'wrapper' }, input);
    },
  },
};

// What makes something comes first in each group, then what uses it.
function rank(operation) {
  if (operation.getIn(['operation', 'operationId']).startsWith('create')) return 0;
  return operation.get('path').startsWith('/hooks/') ? 1 : 2;
}
`;
