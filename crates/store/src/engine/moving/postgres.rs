//! PostgreSQL as the source or target of a move.

use super::{
    Put,
    catalogue::{ColumnKind, OfPostgres, Table},
};
use crate::{
    StoreError, Tx,
    engine::{
        Purpose, migrations,
        names::quoted,
        postgres::{session::Session, target, worker::Worker},
    },
    param::Param,
};
use futures_util::TryStreamExt;
use std::{borrow::Cow, pin::pin, sync::Arc};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Row, binary_copy::BinaryCopyInWriter, types::Type};

/// Table with the schema version, which SQLite stores in the file's header instead.
const MIGRATIONS: &str = "schema_version";
/// Disables timeouts that could expire while the other engine reads or writes, or while the books
/// are verified.
const WITHOUT_TIMEOUTS: &str = "SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0";

/// A connection that keeps servers from using the database while it is open.
struct Server {
    runtime: Arc<Runtime>,
    session: Session,
}

impl Server {
    fn connect(url: &str) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| StoreError::Open(error.to_string()))?;
        let runtime = Arc::new(runtime);
        let target = target::Target::parse(url, Purpose::Command)?;
        let connected = runtime
            .block_on(target.connect(None))
            .map_err(|trouble| StoreError::Connect(Box::new(trouble)))?;
        let mut server = Self { session: Session::new(&runtime, connected), runtime };
        server.run(WITHOUT_TIMEOUTS)?;
        let alone = "SELECT pg_try_advisory_lock($1)";
        let row = server.ask(|client, runtime| {
            runtime.block_on(client.query_one(alone, &[&migrations::POSTGRES_SERVING]))
        })?;
        if row.try_get(0)? {
            return Ok(server);
        }
        Err(StoreError::Open(
            "servers, or another move, are at work on the PostgreSQL database; stop all that use it first".into(),
        ))
    }

    fn ask<T>(
        &mut self,
        question: impl FnOnce(&Client, &Runtime) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, StoreError> {
        Ok(question(self.session.client(), &self.runtime)?)
    }

    fn run(&mut self, sql: &str) -> Result<(), StoreError> {
        self.ask(|client, runtime| runtime.block_on(client.batch_execute(sql)))
    }

    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, StoreError> {
        self.ask(|client, runtime| runtime.block_on(client.query(sql, &[])))
    }

    fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        let rows = self.rows(&format!("SELECT COUNT(*) FROM {}", table.quoted()))?;
        let count: i64 = rows.first().map_or(Ok(0), |row| row.try_get(0))?;
        Ok(count.unsigned_abs())
    }

    fn catalogue(&mut self) -> Result<OfPostgres, StoreError> {
        let columns = format!(
            "SELECT c.table_name::text, c.column_name::text, c.udt_name::text
             FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
             WHERE table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
               AND table_name <> '{MIGRATIONS}' ORDER BY c.table_name, c.ordinal_position"
        );
        let mut tables = OfPostgres::new();
        for row in self.rows(&columns)? {
            tables.entry(row.try_get(0)?).or_default().push((row.try_get(1)?, row.try_get(2)?));
        }
        Ok(tables)
    }

    /// Reads rows in key order, which is the order in which SQLite stores them.
    fn read(&mut self, table: &Table, each: Put<'_>) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT {} FROM {} ORDER BY {}",
            table.column_list(),
            table.quoted(),
            table.key_list()
        );
        let runtime = Arc::clone(&self.runtime);
        runtime.block_on(async {
            let none: [&str; 0] = [];
            let mut rows = pin!(self.session.client().query_raw(&sql, none).await?);
            while let Some(row) = rows.try_next().await? {
                let values = table
                    .columns
                    .iter()
                    .enumerate()
                    .map(|(place, (_, kind))| value(&row, place, *kind));
                each(&values.collect::<Result<Vec<_>, _>>()?)?;
            }
            Ok(())
        })
    }
}

fn value<'r>(
    row: &'r Row,
    place: usize,
    kind: ColumnKind,
) -> Result<Param<'r>, tokio_postgres::Error> {
    let value = match kind {
        ColumnKind::Int => row.try_get::<_, Option<i64>>(place)?.map(Param::Int),
        ColumnKind::Text => {
            row.try_get::<_, Option<&str>>(place)?.map(|text| Param::Text(Cow::Borrowed(text)))
        }
        ColumnKind::Bytes => {
            row.try_get::<_, Option<&[u8]>>(place)?.map(|bytes| Param::Bytes(Cow::Borrowed(bytes)))
        }
        ColumnKind::Date => row.try_get::<_, Option<jiff::civil::Date>>(place)?.map(Param::Date),
        ColumnKind::Time => row.try_get::<_, Option<jiff::Timestamp>>(place)?.map(Param::Time),
    };
    Ok(value.unwrap_or(Param::Null))
}

/// A database read from one snapshot.
pub(super) struct Source(Server);

impl Source {
    pub(super) fn open(url: &str) -> Result<Self, StoreError> {
        let version = crate::engine::postgres::Postgres::schema(url)?.unwrap_or(0);
        if migrations::following(version, migrations::POSTGRES)?.is_some() {
            return Err(StoreError::to_be_migrated());
        }
        let mut server = Server::connect(url)?;
        server.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
        Ok(Self(server))
    }

    pub(super) fn catalogue(&mut self) -> Result<OfPostgres, StoreError> {
        self.0.catalogue()
    }
}

impl super::Source for Source {
    fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        self.0.count(table)
    }

    fn read(&mut self, table: &Table, each: Put<'_>) -> Result<(), StoreError> {
        self.0.read(table, each)
    }
}

/// A database filled in one transaction.
pub(super) struct Target {
    server: Server,
    /// Statements that recreate the indexes and foreign keys dropped while rows are written.
    put_aside: Vec<String>,
}

/// Query for foreign keys, and for indexes that belong to no constraint: each with a statement that
/// drops it and one that recreates it. Creating them after all rows have been loaded costs a
/// fraction of maintaining them per row.
const DEPENDENTS: &str = "
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)), 1
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    UNION ALL
    SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 2
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u', 'x'))
    ORDER BY 3";

impl Target {
    pub(super) fn open(url: &str) -> Result<Self, StoreError> {
        // The schema may be created outside the transaction, because a database whose tables are
        // all empty still counts as empty.
        Worker::new(target::Target::parse(url, Purpose::Command)?)?.migrate(Purpose::Command)?;
        let mut server = Server::connect(url)?;
        server.run("BEGIN")?;
        Ok(Self { server, put_aside: Vec::new() })
    }

    pub(super) fn catalogue(&mut self) -> Result<OfPostgres, StoreError> {
        self.server.catalogue()
    }

    /// Locks the tables, checks that they are empty, and prepares them for bulk loading.
    pub(super) fn clear(&mut self, tables: &[Table]) -> Result<(), StoreError> {
        let names = tables.iter().map(Table::quoted).collect::<Vec<_>>().join(", ");
        self.server.run(&format!("LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))?;
        for table in tables {
            if !self.server.rows(&format!("SELECT 1 FROM {} LIMIT 1", table.quoted()))?.is_empty() {
                let message = format!(
                    "the target is not empty: its table {} has rows; give a new database",
                    table.name
                );
                return Err(StoreError::Open(message));
            }
        }
        // Rows loaded into a table truncated in the same transaction can be frozen at once and need
        // no later vacuum (FREEZE).
        self.server.run(&format!("TRUNCATE {names}"))?;
        for row in self.server.rows(DEPENDENTS)? {
            self.server.run(row.try_get(0)?)?;
            self.put_aside.push(row.try_get(1)?);
        }
        Ok(())
    }
}

impl super::Source for Target {
    fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        self.server.count(table)
    }

    fn read(&mut self, table: &Table, each: Put<'_>) -> Result<(), StoreError> {
        self.server.read(table, each)
    }
}

impl super::Target for Target {
    fn write(
        &mut self,
        table: &Table,
        rows: &mut dyn FnMut(Put<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "COPY {} ({}) FROM STDIN (FORMAT binary, FREEZE)",
            table.quoted(),
            table.column_list()
        );
        let types: Vec<Type> = table.columns.iter().map(|(_, kind)| kind.postgres()).collect();
        let runtime = Arc::clone(&self.server.runtime);
        let sink = runtime.block_on(self.server.session.client().copy_in(&sql))?;
        let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
        rows(&mut |values| Ok(runtime.block_on(writer.as_mut().write_raw(values))?))?;
        runtime.block_on(writer.finish())?;
        Ok(())
    }

    fn complete(&mut self, tables: &[Table]) -> Result<(), StoreError> {
        let identities = "SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c
             WHERE c.table_schema = current_schema() AND (c.is_identity = 'YES' OR c.column_default LIKE 'nextval(%')";
        for row in self.server.rows(identities)? {
            let (table, column): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let (table, quoted_column) = (quoted(&table), quoted(&column));
            self.server.run(&format!(
                "SELECT setval(pg_get_serial_sequence('{}', '{}'), COALESCE(MAX({quoted_column}), 0) + 1, false) FROM {table}",
                table.replace('\'', "''"),
                column.replace('\'', "''"),
            ))?;
        }
        // Indexes are recreated before foreign keys (the reverse of the order in which they were
        // dropped), because a foreign key may need an index.
        for statement in std::mem::take(&mut self.put_aside).iter().rev() {
            self.server.run(statement)?;
        }
        // Without statistics the planner would choose full table scans.
        self.server.run(&format!(
            "ANALYZE {}",
            tables.iter().map(Table::quoted).collect::<Vec<_>>().join(", ")
        ))
    }

    fn tx(&mut self) -> Tx<'_> {
        Tx::postgres(&mut self.server.session)
    }

    fn finish(mut self: Box<Self>) -> Result<(), StoreError> {
        match self.server.session.finish() {
            None => self.server.run("COMMIT"),
            Some(_) => Err(StoreError::Unavailable("the transaction has failed".into())),
        }
    }
}
