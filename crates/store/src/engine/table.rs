//! Statements that all tables of the books need: storing a row, finding a row by a key, and listing
//! rows.

use crate::{
    ListPart, Page, StoreError, Tx,
    engine::{
        filter::Filter,
        record::{self, Table},
    },
    param::Param,
};

/// Stores a new row.
pub(crate) fn insert<T: Table>(tx: &mut Tx<'_>, account: i64, row: &T) -> Result<(), StoreError> {
    record::insert(tx, T::TABLE, T::COLUMNS, &row.values(account))
}

/// Stores all columns of a changed row.
pub(crate) fn update<T: Table>(tx: &mut Tx<'_>, account: i64, row: &T) -> Result<(), StoreError> {
    record::update(tx, T::TABLE, T::COLUMNS, &row.values(account))
}

/// Row with this value in a unique column.
pub(crate) fn find<'v, T: Table>(
    tx: &mut Tx<'_>,
    account: i64,
    column: &str,
    value: impl Into<Param<'v>>,
) -> Result<Option<T>, StoreError> {
    let sql = T::select(format_args!("account_id = ?1 AND {column} = ?2"));
    tx.query_opt(&sql, &[Param::Int(account), value.into()], T::read)
}

/// Maximum number of ids in a statement.
const MOST_IDS: usize = 1_000;

/// Rows with these ids, ordered by id if the ids are.
pub(crate) fn by_ids<T: Table>(
    tx: &mut Tx<'_>,
    account: i64,
    ids: &[i64],
) -> Result<Vec<T>, StoreError> {
    let mut rows = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(MOST_IDS) {
        let mut wanted = Filter::of(account);
        wanted.one_of("id", chunk);
        rows.extend(first(tx, wanted, "id", i64::MAX)?);
    }
    Ok(rows)
}

/// Rows with this value in a column, ordered by id.
pub(crate) fn all<'v, T: Table>(
    tx: &mut Tx<'_>,
    account: i64,
    column: &str,
    value: impl Into<Param<'v>>,
) -> Result<Vec<T>, StoreError> {
    let sql = T::select(format_args!("account_id = ?1 AND {column} = ?2 ORDER BY id"));
    tx.query(&sql, &[Param::Int(account), value.into()], T::read)
}

/// First `limit` rows that match a filter, in the given order.
pub(crate) fn first<T: Table>(
    tx: &mut Tx<'_>,
    mut filter: Filter<'_>,
    order: &str,
    limit: i64,
) -> Result<Vec<T>, StoreError> {
    let limit = filter.bind(limit);
    let sql = T::select(format_args!("{filter} ORDER BY {order} LIMIT {limit}"));
    tx.query(&sql, filter.values(), T::read)
}

/// Like [`first`], but also reports whether more rows follow.
pub(crate) fn page<T: Table>(
    tx: &mut Tx<'_>,
    filter: Filter<'_>,
    order: &str,
    limit: i64,
) -> Result<Page<T>, StoreError> {
    Ok(Page::of(first(tx, filter, order, limit.saturating_add(1))?, limit))
}

/// Like [`first`], but skips the first `offset` rows.
pub(crate) fn section<T: Table>(
    tx: &mut Tx<'_>,
    mut filter: Filter<'_>,
    order: &str,
    (offset, limit): (i64, i64),
) -> Result<Vec<T>, StoreError> {
    let (limit, offset) = (filter.bind(limit), filter.bind(offset));
    let sql = T::select(format_args!("{filter} ORDER BY {order} LIMIT {limit} OFFSET {offset}"));
    tx.query(&sql, filter.values(), T::read)
}

/// Section of a list that is sorted by date or amount.
pub(crate) fn part<T: Table>(
    tx: &mut Tx<'_>,
    filter: Filter<'_>,
    part: ListPart,
) -> Result<Vec<T>, StoreError> {
    let (column, down) = part.order;
    section(tx, filter, &column.order(down), (part.offset, part.limit))
}

/// Defines functions of a table's module: `table_functions!(Trip: insert, by_id)`.
macro_rules! table_functions {
    ($row:ty: $($function:ident),+) => {
        $($crate::engine::table::table_function! { $function $row })+
    };
}
pub(crate) use table_functions;

macro_rules! table_function {
    (insert $row:ty) => {
        /// Stores a new row.
        pub fn insert(
            tx: &mut $crate::Tx<'_>,
            account: i64,
            row: &$row,
        ) -> Result<(), $crate::StoreError> {
            $crate::engine::table::insert(tx, account, row)
        }
    };
    (update $row:ty) => {
        /// Stores a changed row.
        pub fn update(
            tx: &mut $crate::Tx<'_>,
            account: i64,
            row: &$row,
        ) -> Result<(), $crate::StoreError> {
            $crate::engine::table::update(tx, account, row)
        }
    };
    (by_id $row:ty) => {
        /// Row with this id.
        pub fn by_id(
            tx: &mut $crate::Tx<'_>,
            account: i64,
            id: i64,
        ) -> Result<Option<$row>, $crate::StoreError> {
            $crate::engine::table::find(tx, account, "id", id)
        }
    };
    (by_ids $row:ty) => {
        /// Rows with these ids, ordered by id if the ids are.
        pub fn by_ids(
            tx: &mut $crate::Tx<'_>,
            account: i64,
            ids: &[i64],
        ) -> Result<Vec<$row>, $crate::StoreError> {
            $crate::engine::table::by_ids(tx, account, ids)
        }
    };
    (by_external_id $row:ty) => {
        /// Row with this external id.
        pub fn by_external_id(
            tx: &mut $crate::Tx<'_>,
            account: i64,
            external_id: &str,
        ) -> Result<Option<$row>, $crate::StoreError> {
            $crate::engine::table::find(tx, account, "external_id", external_id)
        }
    };
    (after $row:ty) => {
        /// At most `limit` rows with an id above `after`, ordered by id.
        pub fn after(
            tx: &mut $crate::Tx<'_>,
            account: i64,
            after: i64,
            limit: i64,
        ) -> Result<Vec<$row>, $crate::StoreError> {
            let mut filter = $crate::engine::filter::Filter::of(account);
            filter.with("id >", after);
            $crate::engine::table::first(tx, filter, "id", limit)
        }
    };
}
pub(crate) use table_function;
