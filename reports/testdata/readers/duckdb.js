// Runs SQL statements, one an argument, in DuckDB and prints the rows of each
// as a line of JSON: numbers as text, so that none is rounded.
const { DuckDBInstance } = require("@duckdb/node-api");

async function main() {
  const db = await DuckDBInstance.create(":memory:");
  const connection = await db.connect();
  for (const sql of process.argv.slice(2)) {
    const rows = await connection.runAndReadAll(sql);
    console.log(JSON.stringify(rows.getRowsJson()));
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
