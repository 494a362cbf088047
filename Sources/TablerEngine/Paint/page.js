'use strict';
// Makes the table of this page interactive: reads it and its attribute `data-page`, and writes texts as text only. Of
// more than `wholeLimit` rows only those near the window are in the document: layout costs the same for any number.
const wholeLimit = 500;

const { classList } = document.documentElement;
classList.add('loading');
addEventListener('DOMContentLoaded', () => {
  try { start(); } finally { classList.remove('loading'); }
});

let table, region, page, columns, sections, heads, hiding, hasStripes, nested;
// All rows in the order of the page, in the order chosen (null: not yet), and those of them that the filter passes.
let rows = [], ordered = null, shown = [];
// The keys of the order chosen; none: the order of the page.
let order = [];
// The columns of the file, each once; computed ones are not among them.
let fileColumns = [];
let first = 0, rowHeight = 0, current = {};
// The number of the last refresh, the row that Shift extends from, and the text that a button copies.
let turn = 0, anchor, asked;
// While a cell is being edited: what ends with that.
let editing;

function start() {
  table = document.querySelector('table[data-page]');
  region = table.parentElement;
  page = { name: 'table', missing: 'NA', indicators: {}, moves: false, ...JSON.parse(table.dataset.page) };
  Object.assign(table, { role: 'grid', ariaMultiSelectable: page.select ? null : 'true' });
  if (!table.caption) table.ariaLabel = region.ariaLabel;
  readRows();
  readTitles();
  columns.forEach(addEdge);
  drawSigns();
  addTools();
  listen();
  classList.remove('loading');
  refresh();
  each(rows, linesOf);
}

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const button = (textContent, onclick) => make('button', { type: 'button', textContent, onclick });
const boxOf = element => element.getBoundingClientRect();

// The table

function readRows() {
  // A cell over several rows is drawn in each of them.
  for (const cell of table.querySelectorAll('tbody :is([rowspan],[hidden])')) {
    cell.removeAttribute('rowspan');
    cell.hidden = false;
  }
  hasStripes = !!table.querySelector('tbody .z');
  // Lists have no order.
  nested = new Set(Array.from(table.querySelectorAll('[data-v^="["],[data-v^="{"]'), cell => cell.cellIndex));
  sections = Array.from(table.tBodies, body => ({ body, head: [], foot: [] }));
  for (const section of sections) {
    for (const tr of section.body.rows) {
      const cell = tr.firstElementChild;
      if (cell?.scope === 'rowgroup') section.head.push(tr);
      else if (tr.className === 'sum') section.foot.push(tr);
      else if (cell?.matches('.note')) rows.at(-1).trs.push(tr);
      else rows.push(rowOf(tr, section, rows.length + 1));
    }
    section.body.remove();
  }
  numberRows();
}

// Numbers the rows: `place` counts all of them, `number` leaves out those that are deleted.
function numberRows() {
  let number = 0;
  rows.forEach((row, place) => {
    if (!row.isDeleted) number += 1;
    Object.assign(row, { place, number });
  });
}

function rowOf(tr, section, from) {
  const isSelected = tr.matches('.sel');
  tr.row = { tr, trs: [tr], section, from, keys: [], before: [], moves: 0, isDeleted: false, isSelected };
  // From now on `aria-selected` says it.
  if (isSelected) tr.firstElementChild.querySelector('.hide:last-child')?.remove();
  return tr.row;
}

// Writes titles over several columns into the title of each of these columns.
function joinTitles(head) {
  const lines = Array.from(head.rows, () => Array(page.columns.length).fill()), last = lines.at(-1);
  lines.forEach((line, index) => {
    for (const cell of head.rows[index].cells) {
      const start = line.indexOf(undefined);
      for (const other of lines.slice(index, index + cell.rowSpan)) other.fill(cell, start, start + cell.colSpan);
    }
  });
  last.forEach((cell, column) => {
    const above = new Set(lines.map(line => line[column]));
    above.delete(cell);
    cell.prepend(...Array.from(above, ({ textContent }) => textContent && `${textContent} `));
    cell.removeAttribute('rowspan');
  });
  head.replaceChildren(make('tr', {}, ...last));
}

function readTitles() {
  if (table.tHead?.rows.length > 1) joinTitles(table.tHead);
  const foot = table.tFoot?.rows[page.titles];
  heads = [table.tHead && [...table.tHead.rows].at(-1), foot].map(tr => [...tr?.cells ?? []]);
  const cols = table.querySelectorAll('col');
  columns = page.columns.map((column, index) => {
    const head = heads[0][index], title = head && textOf(head).trim() || column.name || `${index + 1}`;
    const { name } = column, usual = { sort: 'auto', nulls: page.nulls, key: name, part: name, term: name };
    return { index, head, title, col: cols[index], ...usual, ...column };
  });
  for (const cell of heads.flat()) {
    const column = columns[cell.cellIndex];
    if (!cell.textContent || column.name === undefined || nested.has(column.index)) continue;
    const sign = cell.querySelector('.ind') ?? make('span', { className: 'ind', ariaHidden: 'true' });
    if (sign.previousSibling) sign.previousSibling.data = sign.previousSibling.data.trimEnd();
    cell.insertBefore(sign, cell.querySelector('.mark'));
    const title = button('', event => sortBy(column, event.shiftKey));
    // In Firefox a click by a key says nothing of Shift.
    title.onkeydown = event => {
      if (!event.shiftKey || !['Enter', ' '].includes(event.key)) return;
      event.preventDefault();
      sortBy(column, true);
    };
    title.append(...cell.childNodes);
    cell.append(title);
  }
  fileColumns = columns.filter(column => page.old?.includes(column.name) && columnNamed(column.name) === column);
}

const columnNamed = name => columns.find(column => column.name === name);
const visible = () => columns.filter(column => !column.isHidden);
const named = () => columns.filter(column => column.name !== undefined);
const cellOf = (row, column) => row.tr.children[column.index];

// The text of an element, without marks and the hidden texts about them.
function textOf(element) {
  if (!element.firstElementChild) return element.textContent;
  const copy = element.cloneNode(true);
  for (const part of copy.querySelectorAll('[aria-hidden],.mark+.hide,.old')) part.remove();
  for (const line of copy.querySelectorAll('br')) line.replaceWith('\n');
  return copy.textContent;
}

// What a row shows in lower case, a line for each cell.
const linesOf = row =>
  row.lines ??= visible().map(column => textOf(cellOf(row, column))).join('\n').toLowerCase();

const literal = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/;
const spelled = text => text === '' ? 'null' : literal.test(text) ? text : JSON.stringify(text);
const plain = json => json === 'null' ? null : json[0] === '"' ? JSON.parse(json) : json;

// What a cell shows; nothing if it is null.
const shownIn = cell => cell.matches('.null:not([data-v]),.null[data-v=null]') ? '' : textOf(cell);
// The value of a cell as JSON.
const valueOf = cell => cell.getAttribute('data-v') ?? spelled(shownIn(cell));
// The value of a cell as text; null if it has none.
function contentOf(cell) {
  const value = cell.getAttribute('data-v');
  return value === null ? shownIn(cell) || null : plain(value);
}

// The order of values

const number = /^[ \t]*([+-]?)(\d+|(?=\.\d))(?:\.(\d*))?(?:[eE]([+-]?\d+))?[ \t]*$/;

// A number, with its text if it is not exactly this double; undefined if it is none.
function numberOf(text) {
  const [, , whole, fraction = '', exponent] = number.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = Number(text), size = Math.abs(value);
  const isExact = whole.length + fraction.length < 16 && (!exponent || size > 1e-300 && size < 1e300);
  return isExact ? value : Object.assign(new Number(value), { text });
}

// The same of a text in a cell, with the marks of the file. Groups of three digits may be marked, all or none.
function cellNumber(text) {
  let plain = text;
  if (page.group) {
    // No text of a page has U+0000.
    plain = plain.replaceAll(page.group, '\0')
      .replace(/^[ \t]*[+-]?\d{1,3}(\0\d{3})+(?!\d)/, whole => whole.replaceAll('\0', ''));
  }
  return numberOf(page.decimal ? plain.replaceAll('.', '?').replace(page.decimal, '.') : plain);
}

// Compares numbers that are the same double: by sign, place of the first digit and digits.
function compareDigits(...keys) {
  const [[sign, size, digits], other] = keys.map(key => {
    const [, sign, whole, fraction = '', exponent = 0] = number.exec(key.text ?? key);
    const digits = (whole + fraction).replace(/^0+/, '');
    return [digits ? Number(`${sign}1`) : 0, +exponent + digits.length - fraction.length, digits.replace(/0+$/, '')];
  });
  return sign - other[0] || sign * (size - other[1] || (digits > other[2]) - (digits < other[2]));
}

// UTF-16 has surrogates before U+E000; UTF-8, in whose order texts are, has them after U+FFFF.
const bytesOf = text => text.replace(/[\ud800-\uffff]/g, unit => {
  const code = unit.charCodeAt(0);
  return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
});

// A key is null, a number or a text; values of `--order` are BigInts, since they come before numbers. Keys of dates,
// sizes and the like are in the page; of changed cells only those are known that are plain to derive.
function readKey(cell, { sort, order: values, isPlain }) {
  const content = contentOf(cell), key = isPlain ? null : cell.getAttribute('data-k'), rank = values?.indexOf(content);
  if (rank >= 0) return BigInt(rank);
  if (key) return key[0] === '"' ? bytesOf(JSON.parse(key)) : numberOf(key) ?? null;
  if (content === null || sort === 'text') return content && bytesOf(content);
  if (sort === 'length') return [...content].length;
  // Letter by letter: tabler knows no final sigma.
  if (sort === 'nocase') return bytesOf(content.replace(/./gsu, letter => letter.toLowerCase()));
  return cellNumber(content) ?? (sort === 'number' ? null : bytesOf(content));
}

function keyOf(row, column) {
  if (row.keys[column.index] === undefined) row.keys[column.index] = readKey(cellOf(row, column), column);
  return row.keys[column.index];
}

const kindOf = key => typeof key === 'bigint' ? 0 : typeof key === 'string' ? 2 : 1;

function compareKeys(a, b) {
  if (typeof a !== typeof b && kindOf(a) !== kindOf(b)) return kindOf(a) - kindOf(b);
  if (a < b) return -1;
  if (a > b) return 1;
  return typeof a === 'object' || typeof b === 'object' ? compareDigits(a, b) : 0;
}

function compareRows(a, b) {
  for (const { column, isDown } of a.section === b.section ? order : []) {
    const x = a.keys[column.index], y = b.keys[column.index];
    if (x === y) continue;
    if (x === null || y === null) return (x === null) === (column.nulls === 'first') ? -1 : 1;
    const difference = compareKeys(x, y);
    if (difference) return isDown ? -difference : difference;
  }
  return a.place - b.place;
}

const given = () =>
  page.sort.map(key => Array.isArray(key) ? { column: columns[key[0]], isDown: key[1] } : { text: key });

function sortBy(column, adds) {
  if (adds && !order.length) order = given().filter(key => key.column);
  const key = order.find(key => key.column === column), next = key?.isDown ? [] : [{ column, isDown: !!key }];
  if (!adds) order = next;
  else order = key ? order.flatMap(other => other === key ? next : [other]) : [...order, ...next];
  ordered = null;
  drawSigns();
  const names = order.map(({ column, isDown }) => column.title + (isDown ? ', descending' : ''));
  const isDerived = ({ column }) => /date|duration|size|natural|version/.test(column.sort);
  const note = reverts.length && order.some(isDerived) ? '; changed cells come by their texts' : '';
  refresh(names.length ? `sorted by ${names.join(', then ')}${note}` : 'the order of the page');
}

// The filter: `word`, `name:word`, `name>10`, `name="text"`, and `-` before each

const term = /(-?)(?:("[^"]+"|[^\s":<>=]+)(:|[<>]=?|=))?("[^"]*"|[^\s"]+)/g;
const bare = text => text.replace(/^"|"$/g, '');
const stringOf = text => `'${text.replaceAll("'", "''")}'`;

// The terms of a filter: a test of rows each, and the same as an expression of tabler.
const termsOf = filter => Array.from(filter.matchAll(term), ([all, minus, name, sign, text]) => {
  const isNamed = text => text.toLowerCase() === bare(name).toLowerCase();
  const column = sign && named().find(column => [column.name, column.title].some(isNamed));
  const found = !column ? wordTerm(bare(all.slice(minus.length)))
    : sign === ':' ? wordTerm(bare(text), column) : valueTerm(column, sign, text);
  if (!minus) return found;
  return { test: row => !found.test(row), expression: `not coalesce(${found.expression}, false)` };
});

function wordTerm(text, column) {
  const sought = text.toLowerCase();
  const names = (column ? [column] : named().filter(column => !column.isHidden)).map(column => column.term);
  return {
    test: row => (column ? textOf(cellOf(row, column)).toLowerCase() : linesOf(row)).includes(sought),
    expression: `contains(lower(concat_ws("\\n", ${names.join(', ') || "''"})), ${stringOf(sought)})`,
  };
}

const signs = { '<': x => x < 0, '<=': x => x <= 0, '>': x => x > 0, '>=': x => x >= 0, '=': x => x === 0 };

function valueTerm(column, sign, quotedText) {
  const text = bare(quotedText), isText = /text|date|duration/.test(column.sort) || text !== quotedText, { term } = column;
  const operand = isText ? undefined : numberOf(text), other = operand ?? bytesOf(text);
  // The order may be another than that of values: of lengths, say, or as `--order` lists them.
  const sort = operand === undefined ? 'text' : /number|size/.test(column.sort) ? column.sort : 'auto';
  const isSame = sort === column.sort, isOrdered = isSame && !column.order;
  const keyIn = row => isOrdered ? keyOf(row, column) : readKey(cellOf(row, column), { sort, isPlain: !isSame });
  const test = row => {
    const key = keyIn(row);
    return key !== null && kindOf(key) === kindOf(other) && signs[sign](compareKeys(key, other));
  };
  if (operand === undefined) return { test, expression: `text(${term}) ${sign} ${stringOf(text)}` };
  const value = literal.test(text) ? text : `number('${text}')`;
  return { test, expression: `${column.sort === 'size' ? `size(${term})` : term} ${sign} ${value}` };
}

// What is shown

// Does `work` for each item, and lets the page live after every 20 ms of it.
async function each(items, work) {
  let begin = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - begin < 20) continue;
    await new Promise(resolve => { setTimeout(resolve); });
    begin = performance.now();
  }
}

// Sorts pieces and then all, which takes little time when they are in order.
async function orderRows() {
  const pieces = [];
  for (const { column } of order) await each(rows, row => keyOf(row, column));
  for (let start = 0; start < rows.length; start += 8000) pieces.push(rows.slice(start, start + 8000));
  if (order.length) await each(pieces, piece => piece.sort(compareRows));
  return pieces.flat().sort(compareRows);
}

async function refresh(message, start = 0) {
  const own = ++turn, terms = termsOf(field.value);
  if (terms.length) await each(rows, linesOf);
  const found = ordered ?? await orderRows();
  if (editing) await editing;
  if (own !== turn) return;
  ordered = found;
  shown = ordered.filter(row => terms.every(term => term.test(row)));
  shown.forEach((row, index) => {
    const before = shown[index - 1];
    row.isStriped = before?.section === row.section && !before.isStriped;
  });
  table.classList.toggle('part', terms.length);
  table.classList.toggle('moves', page.moves && !order.length);
  table.ariaRowCount = `${shown.length + 1}`;
  first = start;
  draw();
  follow();
  showCommand(terms);
  say(message);
}

const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

function say(message) {
  const count = field.value.trim() && `${shown.length.toLocaleString('en')} of ${counted(rows.length, 'row')}`;
  status.textContent = [count, message].filter(Boolean).join('; ');
}

// Each is as high as rows that are not in the document.
const gaps = [0, 1, 2].map(() => make('tbody', { className: 'gap', ariaHidden: 'true' }, make('tr', {}, make('td'))));
// The focused row, if it is far from those in the document.
const held = make('tbody');

// The number of rows in the document if there are many.
const room = () => Math.min(shown.length, rowHeight ? Math.ceil(3 * innerHeight / rowHeight) : 50);

function draw(isWhole = shown.length <= wholeLimit) {
  const hasFocus = document.activeElement === current.cell, contents = new Map();
  first = isWhole ? 0 : Math.max(0, Math.min(Math.floor(first), shown.length - room()));
  const last = isWhole ? shown.length : first + room();
  for (let index = first; index < last; index += 1) {
    const row = shown[index], { section } = row;
    if (!contents.has(section)) contents.set(section, [...section.head]);
    contents.get(section).push(...row.trs);
    row.tr.ariaRowIndex = `${index + 2}`;
    dress(row);
  }
  for (const body of [...table.tBodies]) body.remove();
  for (const [section, list] of contents) {
    section.body.replaceChildren();
    // A call does not take a hundred thousand arguments.
    for (const tr of [...list, ...section.foot]) section.body.append(tr);
  }
  const parts = [[first, last, ...Array.from(contents.keys(), section => section.body)], [shown.length]];
  const place = hasFocus ? shown.indexOf(current.row) : -1;
  if (place >= 0 && (place < first || place >= last)) {
    held.replaceChildren(current.row.tr);
    parts.splice(place < first ? 0 : 1, 0, [place, place + 1, held]);
  }
  let end = 0;
  parts.forEach(([from, to, ...bodies], index) => {
    gaps[index].rows[0].cells[0].style.height = `${(from - end) * rowHeight}px`;
    if (from > end) bodies.unshift(gaps[index]);
    for (const body of bodies) table.insertBefore(body, table.tFoot);
    end = to;
  });
  if (!isWhole && !rowHeight) {
    rowHeight = (boxOf(shown[last - 1].tr).bottom - boxOf(shown[first].tr).top) / (last - first);
    return draw();
  }
  const isThere = current.row?.tr.isConnected, row = isThere ? current.row : shown[first];
  if (row) makeCurrent(row);
  if (hasFocus && isThere) current.cell.focus({ preventScroll: true });
}

// Updates what depends on the position of a row, the selection and changes.
function dress(row) {
  const { tr, from, number } = row, isEdited = row.before.some((cell, index) => cell !== tr.children[index]);
  if (hasStripes) tr.classList.toggle('z', row.isStriped);
  tr.classList.toggle('sel', row.isSelected);
  if (page.select !== 'none') tr.ariaSelected = `${row.isSelected}`;
  tr.classList.toggle('gone', row.isDeleted);
  // The places of a move are read from left to right everywhere, as the arrow points.
  tr.firstElementChild.dataset.change = row.isDeleted ? `- ${from ?? ''} ` : !from ? `+ ${number} `
    : (isEdited ? '~ ' : '') + (row.moves ? `↕ \u2066${from}→${number}\u2069 ` : '');
}

// Draws other rows where those in the document end within the window; what is seen stays where it is.
function follow() {
  const view = boxOf(region), top = Math.max(view.top, 0), bottom = Math.min(view.bottom, innerHeight);
  const isSeen = gap => boxOf(gap).bottom > top && boxOf(gap).top < bottom;
  // A cell that is being edited stays.
  if (editing || !gaps.some(isSeen)) return;
  const seen = shown.slice(first, first + room()).find(row => boxOf(row.tr).bottom > top) ?? shown[first];
  const before = boxOf(seen.tr).top;
  for (const { head, col } of columns) if (head) col.style.minInlineSize = `${head.offsetWidth}px`;
  first += (top - boxOf(shown[first].tr).top) / rowHeight - room() / 3;
  draw();
  if (!seen.tr.isConnected) return;
  region.scrollTop += boxOf(seen.tr).top - before;
  scrollBy(0, boxOf(seen.tr).top - before);
}

// Titles and columns

function drawSigns() {
  const keys = order.length ? order : given();
  for (const cell of heads.flat()) {
    const rank = keys.findIndex(key => key.column === columns[cell.cellIndex]), spot = cell.querySelector('.ind');
    const way = rank < 0 ? 'neutral' : keys[rank].isDown ? 'down' : 'up', sign = page.indicators[way];
    const digits = rank < 0 || !page.ranks ? [] : Array.from(`${rank + 1}`, digit => page.ranks[digit]);
    if (spot) spot.textContent = sign ? ` ${sign}${digits.join('')}` : '';
    if (cell.scope) cell.ariaSort = rank ? null : { up: 'ascending', down: 'descending' }[way];
  }
}

const forward = () => getComputedStyle(table).direction === 'rtl' ? -1 : 1;

function addEdge(column) {
  const { head, title } = column, edge = make('span', { className: 'edge', ariaHidden: 'true' });
  if (!head) return;
  edge.onpointerdown = ({ clientX, pointerId }) => {
    const width = head.offsetWidth;
    edge.setPointerCapture(pointerId);
    edge.onpointermove = event => setWidth(column, width + (event.clientX - clientX) * forward());
  };
  edge.onlostpointercapture = () => { edge.onpointermove = null; };
  edge.ondblclick = () => setWidth(column);
  // A title that does not sort has no button that the focus could go to.
  if (head.textContent && !head.querySelector('button')) head.tabIndex = 0;
  head.append(edge);
  head.onkeydown = event => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    setWidth(column, head.offsetWidth + step * forward());
    say(`${title}: ${head.offsetWidth} pixels`);
  };
}

// Gives a column a width, or the ideal one; the others keep theirs.
function setWidth(column, width) {
  const widths = heads[0].map(cell => cell.offsetWidth);
  if (!width) {
    Object.assign(table.style, { tableLayout: 'auto', width: 'auto' });
    column.col.style.width = '';
  }
  widths[column.index] = Math.max(24, width ?? column.head.offsetWidth);
  columns.forEach(({ col }, index) => Object.assign(col.style, { width: `${widths[index]}px`, minInlineSize: 0 }));
  Object.assign(table.style, { tableLayout: 'fixed', width: `${widths.reduce((sum, width) => sum + width)}px` });
}

// The rule holds for rows that are not in the document, too.
function hide(column, isHidden) {
  column.isHidden = isHidden;
  const numbers = columns.filter(column => column.isHidden).map(column => column.index + 1);
  for (const row of rows) row.lines = undefined;
  hiding.selectorText = numbers.map(n => `.tabler .c${n},.tabler tr>:nth-child(${n}):not([colspan])`).join() || 'x';
  refresh(`${column.title} is ${isHidden ? 'hidden' : 'shown'}`);
}

// Tools

const field = make('input', { type: 'search', placeholder: 'Filter', ariaLabel: 'Filter rows' });
const status = make('output', { dir: 'auto' });
const code = make('code', { tabIndex: 0 });
const dialog = make('dialog', { className: 'tabler card' });

function addTools() {
  const { sheet } = document.querySelector('style');
  hiding = sheet.cssRules[sheet.insertRule('x{display:none}', sheet.cssRules.length)];
  const boxes = columns.map(column => make('label', {}, make('input', {
    type: 'checkbox', checked: true, onchange: ({ target }) => hide(column, !target.checked),
  }), column.title));
  region.before(make('section', { className: 'tools', ariaLabel: 'Tools', lang: 'en' }, field, menu('Columns', ...boxes),
    menu('Command', code, button('Copy command', () => copy(code.textContent))),
    button('Copy', () => copy()), button('Save as csv', saveTable), ...changeTools(), status));
  document.body.append(dialog);
}

function changeTools() {
  const tools = canEdit() ? [button('Delete', () => deleteRows())] : [];
  if (canEdit() && page.moves && idColumns().every(Boolean)) tools.unshift(button('Add row', insertRow));
  if (canEdit() || page.moves) tools.push(button('Undo', undo), button('Save changes', save));
  if (!page.moves) tools.push(make('small', { textContent:
    'Rows cannot be moved or added: the page does not show one whole file in its own order.' }));
  return tools;
}

const menu = (title, ...children) => make('details', {
  onkeydown({ key }) {
    if (key !== 'Escape') return;
    this.open = false;
    this.firstChild.focus();
  },
}, make('summary', { textContent: title }), make('div', {}, ...children));

// Shows the command that gives the same rows in a pipe.
function showCommand(terms) {
  const keys = [...order, ...given().filter(({ column }) => !column || !order.some(key => key.column === column))];
  const options = [['--sort', keys.map(({ column, isDown, text }) => text ?? (isDown ? '-' : '') + column.key).join()],
    ['--filter', terms.map(({ expression }) => expression).join(' and ')],
    ['--hide', named().filter(column => column.isHidden).map(column => column.part).join()]];
  const words = options.filter(([, value]) => value).map(([option, value]) => `${option} ${quoted(value)}`);
  code.textContent = [page.command, ...words].join(' ');
}

const quoted = word => /^[\w.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// Copies

const remaining = () => shown.filter(row => !row.isDeleted);
const selected = () => remaining().filter(row => row.isSelected);

// The titles and the texts of rows.
function cellsOf(list) {
  const all = visible();
  return [all.map(column => guarded(column.title)),
    ...list.map(row => all.map(column => guarded(shownIn(cellOf(row, column)))))];
}

const guarded = text => page.guard && /^[=+\-@\t\r\n]/.test(text) && numberOf(text) === undefined ? `'${text}` : text;

function copy(text = '') {
  asked = text;
  document.execCommand('copy');
  asked = undefined;
}

function onCopy(event) {
  const { clipboardData: data, target } = event;
  // A text that is selected is copied as everywhere.
  if (asked === undefined && (target.closest?.('input,dialog') || `${getSelection()}`)) return;
  event.preventDefault();
  if (asked) return data.setData('text/plain', asked);
  const texts = cellsOf(rows.some(row => row.isSelected) ? selected() : remaining());
  const escaped = text => text.replace(/[\\\t\n\r]/g, mark => JSON.stringify(mark).slice(1, -1));
  const lines = texts.map(cells => cells.map(escaped).join('\t'));
  const copied = make('table');
  for (const cells of texts) copied.append(make('tr', {}, ...cells.map(textContent => make('td', { textContent }))));
  data.setData('text/plain', lines.join('\n') + '\n');
  data.setData('text/html', copied.outerHTML);
  say(`${counted(lines.length - 1, 'row')} copied`);
}

function saveTable() {
  const spell = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  download('view.csv', cellsOf(remaining()).map(cells => cells.map(spell).join()));
}

function download(suffix, lines) {
  // Browsers replace what some system does not allow in the name of a file.
  const stem = page.name.replace(/\.[^.]*$/, '').replace(/[~"*/:<>?\\|\p{Cc}\p{Cf}]|^[.\s]+/gu, '_');
  const name = `${stem}.${suffix}`, text = lines.join('\n') + '\n';
  make('a', { download: name, href: URL.createObjectURL(new Blob([text])) }).click();
  say(`${name} is saved`);
  return name;
}

// Keys and pointer

function listen() {
  Object.assign(window, {
    onkeydown: onPageKey, onresize: follow, onbeforeprint: () => draw(true),
    onafterprint: () => { draw(); follow(); },
    onbeforeunload: event => { if (reverts.at(-1) !== saved) event.preventDefault(); },
  });
  document.oncopy = onCopy;
  addEventListener('scroll', follow, true);
  field.oninput = () => refresh();
  field.onkeydown = ({ key }) => {
    if (key !== 'Escape') return;
    field.value = '';
    refresh('all rows');
  };
  Object.assign(table, {
    onkeydown: onKey,
    onclick: event => atCell(event, (row, column) => {
      const index = shown.indexOf(row);
      if (`${getSelection()}`) return;
      goTo(index, column);
      choose(index, { toggles: event.ctrlKey || event.metaKey, extends: event.shiftKey });
    }),
    ondblclick: event => atCell(event, (row, column) => {
      // A double click selects a word, which would be copied instead of the rows.
      getSelection().empty();
      return takes(row, column) ? edit(row, column) : showDetail(shown.indexOf(row));
    }),
    onpointerdown: event => atCell(event, row => grab(row, event)),
    // A finger on a handle does not scroll.
    ontouchstart: event => { if (table.onpointermove) event.preventDefault(); },
    // Shift selects rows, not their texts; Ctrl not the cell alone, as in Firefox.
    onmousedown: event => { if (event.shiftKey || event.ctrlKey || event.metaKey) event.preventDefault(); },
  });
}

function atCell({ target }, action) {
  const cell = target.closest('td,th'), row = cell?.parentElement.row;
  if (row && !target.closest('input')) action(row, columns[cell.cellIndex] ?? columns.at(-1));
}

function onPageKey(event) {
  const { key, target } = event, name = event.ctrlKey || event.metaKey ? `Ctrl+${key}` : key;
  const act = { '/': () => field.focus(), 'Ctrl+z': undo, 'Ctrl+a': () => chooseAll(true) }[name];
  if (!act || dialog.open || target.matches('input:not([type=checkbox])')) return;
  event.preventDefault();
  act();
}

function onKey(event) {
  if (event.target !== current.cell) return;
  const { row, column } = current, { key, shiftKey, altKey } = event;
  const index = shown.indexOf(row), all = visible();
  const down = { ArrowUp: -1, ArrowDown: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity }[key];
  const across = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if ([' ', 'F2', 'Delete'].includes(key)) goTo(index);
  if (down && altKey) moveRow(row, shown[index + down]?.place);
  else if (down) goTo(index + down);
  else if (across) goTo(index, all[all.indexOf(column) + across * forward()]);
  else if (key === ' ') choose(index, { toggles: true });
  else if (key === 'Escape') chooseAll(false);
  else if (key === 'Enter') showDetail(index);
  else if (key === 'F2') edit(row, column);
  else if (key === 'Delete') deleteRows(row);
  else return;
  event.preventDefault();
  if (!shiftKey) anchor = current.row;
  else if (down) choose(shown.indexOf(current.row), { extends: true });
}

// Makes a cell the one that Tab goes to.
function makeCurrent(row, column = current.column) {
  current.cell?.removeAttribute('tabindex');
  if (!column || column.isHidden) column = visible()[0] ?? columns[0];
  current = { row, column, cell: cellOf(row, column) };
  current.cell.tabIndex = 0;
}

function goTo(index, column) {
  const place = Math.max(0, Math.min(index, shown.length - 1)), row = shown[place];
  if (!row) return field.focus();
  makeCurrent(row, column);
  if (!row.tr.isConnected || held.contains(row.tr)) {
    first = place - room() / 2;
    draw();
  }
  current.cell.focus();
  // Firefox does not scroll to what has the focus already.
  current.cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

// Selects one row alone; or adds or removes it; or selects all rows from the last one that was chosen.
function choose(index, { toggles, extends: isExtended }) {
  if (page.select === 'none') return;
  const isSingle = page.select === 'single', isOn = !toggles || !shown[index].isSelected;
  const start = isExtended && !isSingle && shown.includes(anchor) ? shown.indexOf(anchor) : index;
  if (!toggles || isSingle) for (const row of rows) row.isSelected = false;
  for (const row of shown.slice(Math.min(start, index), Math.max(start, index) + 1)) row.isSelected = isOn;
  if (!isExtended) anchor = shown[index];
  showSelection();
}

function chooseAll(isOn) {
  if (isOn && page.select) return;
  for (const row of isOn ? shown : rows) row.isSelected = isOn;
  showSelection();
}

function showSelection() {
  for (const row of shown) if (row.tr.isConnected) dress(row);
  say(`${counted(rows.filter(row => row.isSelected).length, 'row')} selected`);
}

// A row as a card

function showDetail(index, pressed) {
  const row = shown[index];
  if (!row) return;
  // A change may move the row, or the filter may leave it out.
  const place = missing => shown.includes(row) ? shown.indexOf(row) : missing;
  const fields = visible().flatMap(column => {
    const cell = cellOf(row, column), finding = cell.querySelector('.mark+.hide')?.textContent ?? '';
    const input = takes(row, column) && inputOf(row, column);
    if (input) input.onchange = input.keep;
    return [make('dt', { textContent: column.title }),
      make('dd', { className: cell.className }, input || textOf(cell), finding)];
  });
  const notes = [...row.trs.slice(1), ...row.tr.querySelectorAll('.note')];
  openCard(`Row ${index + 1} of ${shown.length}`, make('dl', {}, ...fields),
    ...notes.map(note => make('p', { className: 'bad', textContent: textOf(note) })),
    button('Previous', () => showDetail(place(index) - 1, 0)), button('Next', () => showDetail(place(index - 1) + 1, 1)));
  dialog.querySelectorAll('button')[pressed]?.focus();
  dialog.onclose = () => goTo(place(index));
}

function openCard(title, ...children) {
  dialog.onclose = null;
  // Esc keeps nothing of what is being typed.
  dialog.oncancel = () => { document.activeElement.value = document.activeElement.defaultValue; };
  dialog.ariaLabel = title;
  dialog.replaceChildren(make('h2', { textContent: title }), ...children, button('Close', () => dialog.close()));
  if (!dialog.open) dialog.showModal();
}

// Changes

// How the changes are undone, the last at the end, and the last that was saved.
const reverts = [];
let saved;
const may = (row, letter) => !row.isDeleted && !row.tr.dataset.keep?.includes(letter);
const canMove = row => table.matches('.moves') && may(row, 'm');
const canEdit = () => columns.some(column => column.editable);
const takes = (row, column) => canEdit() && !/^[[{]/.test(valueOf(originOf(row, column)))
  && (row.from ? column.editable && may(row, 'e') : !row.isDeleted && fileColumns.includes(column));
// A cell as it was read; the cells of new rows were not.
const originOf = (row, column) => row.from && row.before[column.index] || cellOf(row, column);

// Makes a change, shows it, and keeps how it is undone.
function change(message, act, revert) {
  act();
  reverts.push(revert);
  return showChange(message);
}

function undo() {
  if (!reverts.length) return say('nothing to undo');
  reverts.pop()();
  showChange('undone');
}

function showChange(message) {
  numberRows();
  ordered = null;
  return refresh(message, first);
}

function moveRow(row, to) {
  if (order.length && page.moves) return say('rows move only in the order of the page');
  if (!canMove(row)) return say('this row cannot be moved');
  if (rows[to]?.section !== row.section) return say('the row is at the end');
  const { place } = row, shift = (from, to, count) => {
    rows.splice(to, 0, ...rows.splice(from, 1));
    row.moves += count;
  };
  change(`moved to ${to + 1}`, () => shift(place, to, 1), () => shift(to, place, -1));
}

// A row is dragged by its beginning, where the handle is.
function grab(row, { clientX, pointerId }) {
  const { left, right } = boxOf(row.tr);
  let target;
  if (!canMove(row) || (forward() > 0 ? clientX - left : right - clientX) > 24) return;
  table.setPointerCapture(pointerId);
  table.onpointermove = event => {
    target?.tr.classList.remove('drop');
    target = document.elementFromPoint(event.clientX, event.clientY)?.closest('tr')?.row;
    target?.tr.classList.add('drop');
  };
  table.onpointercancel = () => {
    target?.tr.classList.remove('drop');
    target = undefined;
  };
  table.onlostpointercapture = () => {
    table.onpointermove = table.onlostpointercapture = null;
    target?.tr.classList.remove('drop');
    if (target && target !== row) moveRow(row, target.place);
  };
}

function setValue(row, column, json) {
  const old = valueOf(cellOf(row, column));
  const put = json => {
    const cell = cellOf(row, column), origin = row.before[column.index] ??= cell;
    cell.replaceWith(json === valueOf(origin) ? origin : changedCell(origin, json));
    row.keys[column.index] = row.lines = undefined;
    if (current.row === row) makeCurrent(row);
  };
  return change(`${column.title} is ${plain(json) ?? (page.missing || 'empty')}`, () => put(json), () => put(old));
}

function changedCell(origin, json) {
  const cell = origin.cloneNode();
  cell.classList.remove('bad');
  cell.classList.toggle('null', json === 'null');
  cell.dataset.v = json;
  delete cell.dataset.k;
  cell.append(make('del', { className: 'old', textContent: textOf(origin) }),
    make('ins', { textContent: plain(json) ?? page.missing }),
    // The room of a mark and of a bar, so that numbers stay in line.
    ...[...origin.querySelectorAll('.mark,.bar')].map(part => part.cloneNode()));
  return cell;
}

function takesNumbers(column) {
  if (column.sort !== 'auto') return column.sort === 'number';
  const keys = rows.map(row => readKey(originOf(row, column), {})).filter(key => key !== null);
  return keys.length > 0 && keys.every(key => kindOf(key) === 1);
}

// An input for the value of a cell. `keep` stores the text if the column accepts it, after calling `end`, and returns
// whether it did; `kept` is awaited until the page shows it.
function inputOf(row, column, end = () => {}) {
  const old = valueOf(cellOf(row, column)), isText = old[0] === '"' || column.sort === 'text';
  // A number in the list has a point, and would be written with the mark of the file.
  const jsonOf = text => text && (isText || page.decimal && text.includes('.')) ? JSON.stringify(text) : spelled(text);
  const input = make('input', { defaultValue: plain(old) ?? '', ariaLabel: column.title });
  input.check = () => {
    const { value } = input, isNumber = page.json && !isText ? literal.test(value) : cellNumber(value) !== undefined;
    const isWrong = value && value !== input.defaultValue && !isNumber && takesNumbers(column);
    input.setCustomValidity(isWrong ? `${column.title} takes numbers only` : '');
    if (isWrong) say(input.validationMessage);
    // Who has left the input is not called back.
    return document.activeElement === input ? input.reportValidity() : !isWrong;
  };
  input.keep = () => {
    const text = input.value;
    if (!input.check()) return false;
    end();
    if (text !== input.defaultValue) input.kept = setValue(row, column, jsonOf(text));
    input.defaultValue = text;
    return true;
  };
  return input;
}

function edit(row, column) {
  if (!takes(row, column)) return say(`${column.title} cannot be changed in this row`);
  const cell = cellOf(row, column), place = cell.cloneNode(), next = columns.filter(column => takes(row, column));
  let finish;
  const end = () => {
    // To remove the input is to leave it once more.
    input.onblur = null;
    place.replaceWith(cell);
    editing = undefined;
    finish();
  };
  const input = inputOf(row, column, end);
  place.append(input);
  cell.replaceWith(place);
  editing = new Promise(resolve => { finish = resolve; });
  input.select();
  input.onblur = () => input.keep() || end();
  input.onkeydown = async event => {
    const { key, shiftKey } = event;
    if (key === 'Escape') input.value = input.defaultValue;
    else if (key !== 'Enter' && key !== 'Tab') return;
    event.preventDefault();
    if (!input.check()) return;
    input.blur();
    // Nothing was typed into the new row.
    if (key === 'Escape' && row.added && row.added === reverts.at(-1)) return undo();
    const other = key === 'Tab' && next[next.indexOf(column) + (shiftKey ? -1 : 1)];
    await input.kept;
    goTo(shown.indexOf(row), other || column);
    if (other) edit(row, other);
  };
}

async function insertRow() {
  const model = rows.at(-1), cells = columns.map(column => {
    const cell = model ? cellOf(model, column).cloneNode() : make('td');
    for (const name of ['data-v', 'data-k', 'tabindex']) cell.removeAttribute(name);
    cell.classList.remove('null', 'bad');
    return cell;
  });
  const row = rowOf(make('tr', {}, ...cells), model?.section ?? sections[0]);
  field.value = '';
  row.added = () => rows.splice(row.place, 1);
  await change('a row was added', () => rows.push(row), row.added);
  goTo(shown.indexOf(row), columns.find(column => takes(row, column)));
  edit(row, current.column);
}

// Deletes the selected rows, or if none is selected the one that has the focus.
function deleteRows(focused) {
  const isAny = rows.some(row => row.isSelected), all = isAny ? selected() : focused ? [focused] : [];
  if (!all.length) return say(isAny ? 'the selected rows are not shown' : 'no row is selected');
  const list = all.filter(row => canEdit() && may(row, 'd'));
  const set = isDeleted => list.forEach(row => { row.isDeleted = isDeleted; });
  if (list.length) change(`${counted(list.length, 'row')} deleted`, () => set(true), () => set(false));
  else say('this row cannot be deleted');
}

// The changes, as --apply reads them

const object = members => `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
// The columns that identify rows; undefined for one that is not shown.
const idColumns = () => page.id?.map(columnNamed);
const membersOf = (row, list) => object(list.map(column => [column.name, valueOf(originOf(row, column))]));

function changeList() {
  const ids = idColumns();
  const names = JSON.stringify(page.old);
  const list = [];
  const add = (op, ...members) => list.push(object([['op', `"${op}"`], ...members]));
  const idOf = row => ids ? [['id', row.tr.dataset.id ?? membersOf(row, ids)]] : [];
  // Ids that are not shown are in `data-id` of each row.
  const others = fileColumns.filter(column => !ids?.includes(column)), isHidden = ids?.some(column => !column);
  const whole = row => ['row', !isHidden || !row.from ? membersOf(row, fileColumns)
    : `${row.tr.dataset.id.slice(0, -1)},${membersOf(row, others).slice(1)}`.replace(/,}$/, '}')];
  add('columns', ['old', names], ['new', names], ...page.moves ? [] : [['view', true]]);
  rows.filter(row => !row.isDeleted).forEach((row, index) => {
    const to = ['to', index + 1];
    if (!row.from) return add('insert', ...idOf(row), to, whole(row));
    if (row.moves) add('move', ...idOf(row), ['from', row.from], to, ...ids ? [] : [whole(row)]);
    const changed = fileColumns.filter(column => cellOf(row, column) !== originOf(row, column));
    const cells = changed.map(column => [column.name, object([
      ['old', valueOf(originOf(row, column))], ['new', valueOf(cellOf(row, column))]])]);
    if (cells.length) add('update', ...idOf(row), ['cells', object(cells)]);
  });
  for (const row of rows.filter(row => row.isDeleted && row.from)) {
    add('delete', ...idOf(row), ['from', row.from], whole(row));
  }
  return list;
}

// Why the changes cannot be saved, and the row that it is about: rows without an id, and rows with the same.
function mistake() {
  const known = new Set(), ids = idColumns() ?? [];
  for (const row of rows.filter(row => !row.isDeleted && ids.length && !row.tr.dataset.id)) {
    const missing = ids.find(column => valueOf(cellOf(row, column)) === 'null'), id = membersOf(row, ids);
    if (!row.from && missing) return [`the new row needs ${missing.title}`, row, missing];
    if (known.has(id)) return [`two rows have the same ${page.id.join(' and ')}`, row, ids[0]];
    known.add(id);
  }
  return [];
}

async function save() {
  const [message, row, column] = mistake(), list = changeList();
  if (message) {
    field.value = '';
    await refresh(message);
    return goTo(shown.indexOf(row), column);
  }
  if (list.length < 2) return say('nothing was changed');
  const name = download('changes.jsonl', list), line = `${page.apply} ${quoted(name)} -i`;
  saved = reverts.at(-1);
  openCard('Saved changes',
    make('p', { textContent: `${name} is where the browser saves files. Beside the file, this checks and applies it:` }),
    make('p', {}, make('code', { textContent: line })), button('Copy command', () => copy(line)));
}
