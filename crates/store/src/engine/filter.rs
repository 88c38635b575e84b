//! WHERE conditions of a query, built one by one with their parameters.

use crate::param::Param;
use jiff::Timestamp;
use std::fmt;

/// Filters rows by the time of their last change, for clients that synchronize a list page by page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Updated {
    /// Includes only rows created or changed at this time or later.
    pub since: Timestamp,
    /// Excludes rows changed after this time, which is the time of the latest change when the first
    /// page was read. Rows that change during paging are left out of later pages, so that the
    /// highest timestamp the client has seen is never later than a change it missed.
    pub until: Option<Timestamp>,
}

/// WHERE condition that selects the rows of an account that satisfy all added conditions. Its
/// `Display` form (`{filter}`) follows the word `WHERE`.
pub(crate) struct Filter<'v> {
    sql: String,
    values: Vec<Param<'v>>,
}

impl<'v> Filter<'v> {
    /// Selects the rows of an account; the account is `?1`.
    pub(crate) fn of(account: i64) -> Self {
        Self { sql: "account_id = ?1".to_owned(), values: vec![Param::Int(account)] }
    }

    /// Adds a condition without a parameter.
    pub(crate) fn and(&mut self, condition: &str) {
        self.sql += " AND ";
        self.sql += condition;
    }

    /// Adds a condition that compares with a value; `condition` is the part before the value, such
    /// as `date >=`.
    pub(crate) fn with(&mut self, condition: &str, value: impl Into<Param<'v>>) {
        let place = self.bind(value);
        self.and(&format!("{condition} {place}"));
    }

    /// Like [`Filter::with`], if there is a value.
    pub(crate) fn given(&mut self, condition: &str, value: Option<impl Into<Param<'v>>>) {
        if let Some(value) = value {
            self.with(condition, value);
        }
    }

    /// Filters by the column `updated_at`, if requested.
    pub(crate) fn updated(&mut self, updated: Option<Updated>) {
        self.given("updated_at >=", updated.map(|updated| updated.since));
        self.given("updated_at <=", updated.and_then(|updated| updated.until));
    }

    /// Adds the condition `yes` if `choice` is true, or `no` if it is false; adds nothing if it is
    /// `None`.
    pub(crate) fn either(&mut self, choice: Option<bool>, yes: &str, no: &str) {
        if let Some(choice) = choice {
            self.and(if choice { yes } else { no });
        }
    }

    /// Requires a column to equal one of these numbers; an empty list matches no row.
    pub(crate) fn one_of(&mut self, column: &str, ids: &[i64]) {
        let (places, ids) = crate::tx::id_list(ids, self.values.len() + 1);
        self.values.extend(ids.into_iter().map(Param::Int));
        self.and(&format!("{column} IN ({places})"));
    }

    /// Requires that at least one of the expressions contains the words of a text in this order, or
    /// that the condition in `or` holds for its value. The expressions must be in lower case, as
    /// the search ignores case.
    pub(crate) fn holds(
        &mut self,
        expressions: &[&str],
        text: &str,
        or: Option<(&str, Param<'v>)>,
    ) {
        let place = self.bind(anywhere(text));
        let mut any: Vec<String> =
            expressions.iter().map(|it| format!("{it} LIKE {place} ESCAPE '\\'")).collect();
        if let Some((condition, value)) = or {
            any.push(format!("{condition} {}", self.bind(value)));
        }
        self.and(&format!("({})", any.join(" OR ")));
    }

    /// Binds a value used elsewhere in the statement, such as after `LIMIT`; returns its
    /// placeholder, such as `?3`.
    pub(crate) fn bind(&mut self, value: impl Into<Param<'v>>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// All values, in the order of their placeholders.
    pub(crate) fn values(&self) -> &[Param<'v>] {
        &self.values
    }
}

impl fmt::Display for Filter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sql)
    }
}

/// Returns a pattern for `LIKE … ESCAPE '\'` that finds the words of a text, in this order, in a
/// lower-case column.
pub(crate) fn anywhere(text: &str) -> String {
    let mut pattern = String::from("%");
    for word in text.to_lowercase().split_whitespace() {
        for c in word.chars() {
            if matches!(c, '%' | '_' | '\\') {
                pattern.push('\\');
            }
            pattern.push(c);
        }
        pattern.push('%');
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_follow_one_another_and_each_value_has_its_place() {
        let mut filter = Filter::of(7);
        filter.with("id <", 90);
        filter.given("status =", None::<&str>);
        filter.given("status =", Some("sent"));
        filter.either(Some(false), "paid_at IS NOT NULL", "paid_at IS NULL");
        filter.either(None, "a", "b");
        filter.one_of("kind_id", &[4, 5, 6]);
        filter.holds(&["folded", "number"], "50%_\\", Some(("total =", Param::Int(5000))));
        let limit = filter.bind(10);
        assert_eq!(
            format!("{filter} LIMIT {limit}"),
            "account_id = ?1 AND id < ?2 AND status = ?3 AND paid_at IS NULL AND kind_id IN (?4, ?5, ?6, ?7) \
             AND (folded LIKE ?8 ESCAPE '\\' OR number LIKE ?8 ESCAPE '\\' OR total = ?9) LIMIT ?10"
        );
        let ids = [4, 5, 6, 6].map(Param::Int);
        let expected = [&[Param::Int(7), Param::Int(90), "sent".into()], &ids[..]].concat();
        assert_eq!(filter.values()[..7], expected);
        assert_eq!(
            filter.values()[7..],
            [Param::from("%50\\%\\_\\\\%"), Param::Int(5000), Param::Int(10)]
        );
    }

    #[test]
    fn words_are_found_with_others_between_them() {
        assert_eq!(anywhere(" Museum  Raam"), "%museum%raam%");
        assert_eq!(anywhere(""), "%");
    }
}
