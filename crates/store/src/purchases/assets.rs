//! Business assets: purchase, depreciation, disposal.

use crate::{
    Page, StoreError, SyncFilter, Tx,
    engine::{
        filter::Filter,
        record::{Record, Table, record},
        table::{self, table_functions},
    },
    invoices::Origin,
    param::Param,
    params,
    tx::id_list,
};
use jiff::{Timestamp, civil::Date};
use ledger::{asset::AssetAccounts, chart::AccountCode, money::Cents};

/// Stored asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of purchase.
    pub date: Date,
    /// Description of the asset.
    pub description: String,
    /// Ledger account of the asset.
    pub account: AccountCode,
    /// Account of the accumulated depreciation, if it is not the one that belongs to `account`.
    pub accumulated_account: Option<AccountCode>,
    /// Account of the cost of depreciation, if it is not the one that belongs to `account`.
    pub depreciation_account: Option<AccountCode>,
    /// Cost, excluding deductible VAT.
    pub cost: Cents,
    /// Residual value.
    pub residual_value: Cents,
    /// Useful life, in years.
    pub life_years: i64,
    /// Total depreciation so far.
    pub depreciated: Cents,
    /// Date up to which the asset has been depreciated.
    pub depreciated_until: Option<Date>,
    /// Depreciation before the start of the books, for an asset in the opening balance.
    pub opening_depreciated: Cents,
    /// Date on which the asset was sold or written off.
    pub disposed_on: Option<Date>,
    /// Proceeds of the sale, excluding VAT.
    pub proceeds: Option<Cents>,
    /// Id of the expense that records the purchase; `None` for an asset in the opening balance.
    pub expense_id: Option<i64>,
    /// Time at which the asset was undone.
    pub undone_at: Option<Timestamp>,
    /// Origin of the record.
    pub source: Origin,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

record! {
    "assets": Asset {
        "id": id,
        "external_id": external_id,
        "date": date,
        "description": description,
        "account_code": account,
        "cost": cost,
        "residual_value": residual_value,
        "life_years": life_years,
        "depreciated": depreciated,
        "depreciated_until": depreciated_until,
        "opening_depreciated": opening_depreciated,
        "disposed_on": disposed_on,
        "proceeds": proceeds,
        "expense_id": expense_id,
        "undone_at": undone_at,
        "source": source,
        "created_at": created_at,
        "updated_at": updated_at,
        "accumulated_code": accumulated_account,
        "depreciation_code": depreciation_account,
    }
}
table_functions!(Asset: insert, by_id, by_external_id);

impl Asset {
    /// Returns the accounts on which the asset is booked.
    #[must_use]
    pub fn accounts(&self) -> AssetAccounts {
        AssetAccounts::of(self.account)
            .depreciated_on(self.accumulated_account, self.depreciation_account)
    }
}

/// Stores a changed asset.
pub fn replace(tx: &mut Tx<'_>, account: i64, asset: &Asset) -> Result<(), StoreError> {
    table::update(tx, account, asset)
}

/// Assets with an id above `after`, ordered by id.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<Asset>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id >", after);
    wanted.given("external_id =", filter.external_id.as_ref());
    wanted.updated(filter.updated);
    table::page(tx, wanted, "id", limit)
}

/// State of the assets in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetState {
    /// Still in use.
    InUse,
    /// Sold or written off.
    Disposed,
    /// Undone.
    Undone,
}

/// Column by which a list of assets is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetColumn {
    /// Date of purchase.
    Date,
    /// Description.
    Description,
    /// Cost.
    Cost,
    /// Book value.
    BookValue,
}

/// Totals of assets: number, cost and book value of the assets in use, and the numbers of disposed
/// and undone assets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssetSums {
    /// Number in use.
    pub in_use: i64,
    /// Number sold or written off.
    pub disposed: i64,
    /// Number undone.
    pub undone: i64,
    /// Total cost of the assets in use.
    pub cost: Cents,
    /// Total book value of the assets in use.
    pub book_value: Cents,
}

const IN_USE: &str = "undone_at IS NULL AND disposed_on IS NULL";
const DISPOSED: &str = "undone_at IS NULL AND disposed_on IS NOT NULL";

/// Section of the list of assets, optionally only those with a state and those whose description
/// contains a text.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    which: (Option<AssetState>, Option<&str>),
    (column, down): (AssetColumn, bool),
    part: (i64, i64),
) -> Result<Vec<Asset>, StoreError> {
    let direction = if down { "DESC" } else { "ASC" };
    let column = match column {
        AssetColumn::Date => "date".to_owned(),
        AssetColumn::Description => "LOWER(description)".to_owned(),
        AssetColumn::Cost => "cost".to_owned(),
        AssetColumn::BookValue => format!("CASE WHEN {IN_USE} THEN cost - depreciated ELSE 0 END"),
    };
    table::section(
        tx,
        listed(account, which),
        &format!("{column} {direction}, id {direction}"),
        part,
    )
}

fn listed<'v>(account: i64, (state, text): (Option<AssetState>, Option<&'v str>)) -> Filter<'v> {
    let mut wanted = Filter::of(account);
    match state {
        Some(AssetState::InUse) => wanted.and(IN_USE),
        Some(AssetState::Disposed) => wanted.and(DISPOSED),
        Some(AssetState::Undone) => wanted.and("undone_at IS NOT NULL"),
        None => {}
    }
    if let Some(text) = text {
        wanted.holds(&["LOWER(description)"], text, None);
    }
    wanted
}

/// Totals of the assets, optionally only those whose description contains a text.
pub fn sums(tx: &mut Tx<'_>, account: i64, text: Option<&str>) -> Result<AssetSums, StoreError> {
    let wanted = listed(account, (None, text));
    let of = |which: &str, what: &str| {
        format!("CAST(COALESCE(SUM(CASE WHEN {which} THEN {what} ELSE 0 END), 0) AS BIGINT)")
    };
    let sql = format!(
        "SELECT {}, {}, {}, {}, {} FROM assets WHERE {wanted}",
        of(IN_USE, "1"),
        of(DISPOSED, "1"),
        of("undone_at IS NOT NULL", "1"),
        of(IN_USE, "cost"),
        of(IN_USE, "cost - depreciated")
    );
    tx.query_one(&sql, wanted.values(), |row| {
        Ok(AssetSums {
            in_use: row.int(0)?,
            disposed: row.int(1)?,
            undone: row.int(2)?,
            cost: Cents::new(row.int(3)?),
            book_value: Cents::new(row.int(4)?),
        })
    })
}

/// Assets sold or written off in a period, ordered by id. Excludes undone assets.
///
/// # Errors
/// The storage failed.
pub fn disposed(
    tx: &mut Tx<'_>,
    account: i64,
    (from, to): (Date, Date),
) -> Result<Vec<Asset>, StoreError> {
    let sql = Asset::select(
        "account_id = ?1 AND disposed_on >= ?2 AND disposed_on <= ?3 AND undone_at IS NULL ORDER BY id",
    );
    tx.query(&sql, &params![account, from, to], Asset::read)
}

/// Total cost of the assets bought in a period. Excludes undone assets, assets in the opening
/// balance, assets on the ledger accounts `but`, and assets that cost less than `least`.
///
/// # Errors
/// The storage failed.
pub fn bought(
    tx: &mut Tx<'_>,
    account: i64,
    (from, to): (Date, Date),
    but: &[AccountCode],
    least: Cents,
) -> Result<Cents, StoreError> {
    let but: Vec<i64> = but.iter().map(|code| i64::from(code.stored())).collect();
    let (places, codes) = id_list(&but, 5);
    let mut values: Vec<Param<'_>> = params![account, from, to, least.get()].into();
    values.extend(codes.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM assets
         WHERE account_id = ?1 AND date >= ?2 AND date <= ?3 AND cost >= ?4 AND account_code NOT IN ({places})
             AND expense_id IS NOT NULL AND undone_at IS NULL"
    );
    tx.query_one(&sql, &values, |row| Ok(Cents::new(row.int(0)?)))
}
