// What the tests need of the program `duckdb`, by its module for Node.js:
//	node duckdb.js [-csv|-json] DATABASE [SQL]	(else SQL from standard input)
// CATENA_DUCKDB is a folder in which `npm install @duckdb/node-api` was run.
const {DuckDBInstance} = require(process.env.CATENA_DUCKDB + '/node_modules/@duckdb/node-api');

const given = process.argv.slice(2);
const json = given[0] === '-json';
if (json || given[0] === '-csv')
	given.shift();

function cell(value) {
	if (value === null)
		return '';
	const text = String(value);
	return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

async function run() {
	const database = await DuckDBInstance.create(given[0]);
	const connection = await database.connect();
	const sql = given.length > 1 ? given[1] : require('fs').readFileSync(0, 'utf8');
	const reader = await connection.runAndReadAll(sql);
	const rows = reader.getRowsJson(), names = reader.columnNames();
	let out;

	if (json)
		out = JSON.stringify(rows.map(row => Object.fromEntries(row.map((v, i) => [names[i], v]))));
	else
		out = [names, ...rows].map(row => row.map(cell).join(',')).join('\n');
	if (names.length && rows.length)
		require('fs').writeSync(1, out + '\n');
}

run().catch(error => {
	console.error(String(error.message || error));
	process.exitCode = 1;
});
