/* SQLite: a table, an index, joins, aggregates, a recursive query, in memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "data.h"
#include "sqlite3.h"
static uint64_t sum = DATA_SUM;
static int row(void *unused, int columns, char **values, char **names) {
  for (int c = 0; c < columns; c++)
    sum = data_sum(sum, values[c] ? values[c] : "-", values[c] ? strlen(values[c]) : 1);
  return (void)unused, (void)names, 0;
}
static void query(sqlite3 *db, const char *text) {
  char *error = NULL;
  if (sqlite3_exec(db, text, row, NULL, &error)) {
    fprintf(stderr, "%s: %s\n", text, error);
    exit(1);
  }
}
int main(int argc, char **argv) {
  for (int round = data_rounds(argc, argv); round > 0; round--) {
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db))
      return 1;
    query(db, "create table t(a integer primary key, b integer, c text); begin");
    char text[200];
    for (int i = 0; i < 1500; i++) {
      snprintf(text, sizeof text, "insert into t values(%d, %d, 'v%d')", i,
               (int)(data_next() % 500), (int)(data_next() % 10000));
      query(db, text);
    }
    query(db, "commit; create index i on t(b)");
    query(db, "select b, count(*), sum(a), max(c) from t group by b order by 2 desc, 1 limit 50");
    query(db,
          "select count(*), sum(x.a * y.a % 1000) from t x join t y on x.b = y.b where x.a < y.a");
    query(db, "select a, c from t where c like '%7%3' order by c, a");
    query(db, "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) "
              "select sum(i * i % 97), avg(i), group_concat(i % 7, '') from n");
    query(db, "update t set b = b + 1 where a % 3 = 0; delete from t where a % 5 = 1");
    query(db, "select count(*), total(b), min(c) from t; pragma integrity_check");
    sqlite3_close(db);
  }
  data_print(sum);
  return 0;
}
