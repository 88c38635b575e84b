//! Business assets: bought, depreciated, sold or written off.

use crate::{Page, StoreError, Tx, invoices::Origin, param::Param, params, row::Row};
use jiff::{Timestamp, civil::Date};
use ledger::{chart::AccountCode, money::Cents};

/// An asset as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day on which it was bought.
    pub date: Date,
    /// What it is.
    pub description: String,
    /// The account that it stands on.
    pub account: AccountCode,
    /// What it cost, excluding deductible VAT.
    pub cost: Cents,
    /// What it is worth at the end.
    pub residual_value: Cents,
    /// How many years it is used.
    pub life_years: i64,
    /// What was depreciated so far.
    pub depreciated: Cents,
    /// The day up to which it was.
    pub depreciated_until: Option<Date>,
    /// The day on which it was sold or written off.
    pub disposed_on: Option<Date>,
    /// What was received for it, excluding VAT.
    pub proceeds: Option<Cents>,
    /// The expense that bought it.
    pub expense_id: i64,
    /// When it was taken back.
    pub undone_at: Option<Timestamp>,
    /// Where it was recorded.
    pub source: Origin,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

const COLUMNS: &str = "id, external_id, date, description, account_code, cost, residual_value, life_years, depreciated, \
                       depreciated_until, disposed_on, proceeds, expense_id, undone_at, source, created_at, updated_at";

fn read(row: &Row<'_>) -> Result<Asset, StoreError> {
    let code: u16 = row.narrow(4)?;
    Ok(Asset {
        id: row.int(0)?,
        external_id: row.opt_text(1)?,
        date: row.date(2)?,
        description: row.text(3)?,
        account: AccountCode::new(code).ok_or_else(|| StoreError::Unreadable(format!("account {code} is not in the chart")))?,
        cost: Cents::new(row.int(5)?),
        residual_value: Cents::new(row.int(6)?),
        life_years: row.int(7)?,
        depreciated: Cents::new(row.int(8)?),
        depreciated_until: row.opt_date(9)?,
        disposed_on: row.opt_date(10)?,
        proceeds: row.opt_int(11)?.map(Cents::new),
        expense_id: row.int(12)?,
        undone_at: row.opt_time(13)?,
        source: row.parsed(14, Origin::parse)?,
        created_at: row.time(15)?,
        updated_at: row.time(16)?,
    })
}

/// Stores a new asset.
pub fn insert(tx: &mut Tx<'_>, account: i64, asset: &Asset) -> Result<(), StoreError> {
    tx.execute(
        &format!(
            "INSERT INTO assets (account_id, {COLUMNS})
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)"
        ),
        &params![
            account,
            asset.id,
            &asset.external_id,
            asset.date,
            asset.description.as_str(),
            i64::from(asset.account.get()),
            asset.cost.get(),
            asset.residual_value.get(),
            asset.life_years,
            asset.depreciated.get(),
            asset.depreciated_until,
            asset.disposed_on,
            asset.proceeds.map(Cents::get),
            asset.expense_id,
            asset.undone_at,
            asset.source.as_str(),
            asset.created_at,
            asset.updated_at,
        ],
    )
}

/// Stores what changes of an asset.
pub fn replace(tx: &mut Tx<'_>, account: i64, asset: &Asset) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE assets SET depreciated = ?3, depreciated_until = ?4, disposed_on = ?5, proceeds = ?6, undone_at = ?7, updated_at = ?8
         WHERE account_id = ?1 AND id = ?2",
        &params![
            account,
            asset.id,
            asset.depreciated.get(),
            asset.depreciated_until,
            asset.disposed_on,
            asset.proceeds.map(Cents::get),
            asset.undone_at,
            asset.updated_at,
        ],
    )
}

/// The asset with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Asset>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM assets WHERE account_id = ?1 AND id = ?2"), &params![account, id], read)
}

/// The asset with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Asset>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM assets WHERE account_id = ?1 AND external_id = ?2");
    tx.query_opt(&sql, &params![account, external_id], read)
}

/// Which assets are meant.
#[derive(Debug, Clone, Default)]
pub struct AssetFilter {
    /// Only the one with this external id.
    pub external_id: Option<String>,
    /// Only those that changed at this moment or later.
    pub updated_since: Option<Timestamp>,
}

/// Assets with an id above `after`, in the order of their ids.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &AssetFilter, after: i64, limit: i64) -> Result<Page<Asset>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, after, limit.saturating_add(1)].into();
    let mut conditions = String::new();
    if let Some(external_id) = &filter.external_id {
        values.push(external_id.into());
        conditions += &format!(" AND external_id = ?{}", values.len());
    }
    if let Some(since) = filter.updated_since {
        values.push(since.into());
        conditions += &format!(" AND updated_at >= ?{}", values.len());
    }
    let sql = format!("SELECT {COLUMNS} FROM assets WHERE account_id = ?1 AND id > ?2{conditions} ORDER BY id LIMIT ?3");
    Ok(Page::of(tx.query(&sql, &values, read)?, limit))
}
