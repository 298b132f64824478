// The page at /api/v1/docs. Everything shown is set as text, so nothing in it can run.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const byId = (id) => document.getElementById(id);

function make(tag, props = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

function authorization() {
  const token = byId('token').value.trim();
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

async function load() {
  byId('problem').textContent = '';
  const response = await fetch('openapi.json', { headers: authorization() });
  const answer = await response.json();
  if (!response.ok) {
    byId('problem').textContent = answer.error.message;
    return;
  }
  show(answer);
}

function show(document) {
  const contents = [];
  const articles = [];
  for (const { name } of document.tags) {
    const operations = operationsOf(document, name);
    const links = operations.map(({ operation }) =>
      make(
        'li',
        {},
        make('a', { href: `#${operation.operationId}`, textContent: operation.summary }),
      ),
    );
    contents.push(make('h2', { textContent: name }), make('ul', {}, ...links));
    articles.push(
      make('h2', { textContent: name }),
      ...operations.map((entry) => toArticle(document, entry)),
    );
  }
  byId('contents').replaceChildren(...contents);
  byId('operations').replaceChildren(...articles);
}

function operationsOf(document, tag) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]?.tags.includes(tag)).map((method) => ({
      path,
      method,
      operation: methods[method],
    })),
  );
}

function toArticle(document, { path, method, operation }) {
  const line = make('code', { textContent: `${method.toUpperCase()} ${path}` });
  const parts = [
    make('h3', { textContent: operation.summary }),
    make('p', {}, line),
    make('p', { className: 'quiet', textContent: operation.description }),
  ];
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body) parts.push(toDetails('Request body', resolve(document, body)));
  const answer = Object.values(operation.responses)
    .map((response) => response.content?.['application/json']?.schema)
    .find((schema) => schema);
  if (answer) parts.push(toDetails('Answer', resolve(document, answer)));
  if (operation['x-errors'].length > 0) {
    const codes = operation['x-errors'].map(({ code }) => code).join(', ');
    parts.push(make('p', { className: 'quiet', textContent: `Errors: ${codes}` }));
  }
  if (method === 'get') parts.push(toForm(path, operation));
  return make('article', { id: operation.operationId }, ...parts);
}

function toDetails(title, schema) {
  const text = JSON.stringify(schema, null, 2);
  return make(
    'details',
    {},
    make('summary', { textContent: title }),
    make('pre', { tabIndex: 0, textContent: text }),
  );
}

/** One level of references is filled in; deeper ones keep their name. */
function resolve(document, schema) {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name ? document.components.schemas[name] : schema;
}

function toForm(path, operation) {
  const inputs = operation.parameters
    .filter((parameter) => parameter.in !== 'header')
    .map((parameter) => {
      const id = `${operation.operationId}.${parameter.name}`;
      const usual = parameter.name === 'namespace' ? 'default' : '';
      return {
        parameter,
        label: make('label', { htmlFor: id, textContent: parameter.name }),
        input: make('input', { id, value: usual, autocomplete: 'off', spellcheck: false }),
      };
    });
  const result = make('pre', { hidden: true, tabIndex: 0 });
  const button = make('button', { type: 'button', textContent: 'Try it' });
  button.addEventListener('click', async () => {
    result.hidden = false;
    result.textContent = '…';
    result.textContent = await attempt(toAddress(path, inputs));
  });
  return make(
    'details',
    {},
    make('summary', { textContent: 'Try it' }),
    ...inputs.flatMap(({ label, input }) => [label, input]),
    make('p', {}, button),
    result,
  );
}

function toAddress(path, inputs) {
  let address = path;
  const query = new URLSearchParams();
  for (const { parameter, input } of inputs) {
    if (parameter.in === 'path') {
      address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    } else if (input.value !== '') {
      query.append(parameter.name, input.value);
    }
  }
  return query.size > 0 ? `${address}?${query}` : address;
}

async function attempt(address) {
  try {
    const response = await fetch(address, { headers: authorization() });
    const text = await response.text();
    return `${response.status}\n${text === '' ? '' : JSON.stringify(JSON.parse(text), null, 2)}`;
  } catch (error) {
    return String(error);
  }
}

byId('load').addEventListener('click', load);
void load();
