//! EC sales list, the ICP declaration ("opgaaf intracommunautaire prestaties"): supplies to
//! businesses in other member states, per VAT number (art. 37a Wet OB 1968).
//!
//! A list covers a quarter. Lists become monthly once the goods of the quarter, or of one of the
//! four quarters before it, exceed [`GOODS_LIMIT`] (art. 263(1a) and (1b) Directive 2006/112/EC). A
//! filed list does not change: the first open list after it declares later changes to its supplies
//! as corrections.

use crate::{
    calendar::{Month, Quarter},
    identifiers::VatNumber,
    money::Cents,
    vat::Supply,
    vat_period::{VatPeriod, VatUnit},
};
use jiff::civil::{Date, date};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter::{self, Sum},
    ops::{Add, Sub},
};

/// Limit on the goods in a quarter, triangular supplies included: € 50 000. Above the limit, the
/// lists are monthly (art. 263(1a) Directive 2006/112/EC).
pub const GOODS_LIMIT: Cents = Cents::new(5_000_000);

/// Amounts per kind of supply, in cents or in whole euros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts<T> {
    /// Goods (art. 138 Directive 2006/112/EC).
    pub goods: T,
    /// Services (art. 44).
    pub services: T,
    /// Goods in a simplified triangular transaction (art. 141).
    pub triangular: T,
}

impl<T> Amounts<T> {
    /// Applies `convert` to the amount of each kind of supply.
    fn map<U>(self, mut convert: impl FnMut(T) -> U) -> Amounts<U> {
        Amounts {
            goods: convert(self.goods),
            services: convert(self.services),
            triangular: convert(self.triangular),
        }
    }

    /// Goods, services and triangular supplies, in this order.
    #[must_use]
    pub fn all(self) -> [T; 3] {
        [self.goods, self.services, self.triangular]
    }

    /// Amount of a kind of supply.
    pub fn of_mut(&mut self, supply: Supply) -> &mut T {
        match supply {
            Supply::Goods => &mut self.goods,
            Supply::Services | Supply::Electronic => &mut self.services,
            Supply::Triangular => &mut self.triangular,
        }
    }
}

impl<T: Copy + Sum> Amounts<T> {
    /// Sum of the three kinds.
    #[must_use]
    pub fn total(self) -> T {
        self.all().into_iter().sum()
    }
}

impl<T: Default + PartialEq + Copy> Amounts<T> {
    fn is_zero(self) -> bool {
        self.all().iter().all(|amount| *amount == T::default())
    }
}

impl<T: Add<Output = T>> Add for Amounts<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            goods: self.goods + other.goods,
            services: self.services + other.services,
            triangular: self.triangular + other.triangular,
        }
    }
}

impl<T: Sub<Output = T>> Sub for Amounts<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            goods: self.goods - other.goods,
            services: self.services - other.services,
            triangular: self.triangular - other.triangular,
        }
    }
}

/// Invoice or credit note with a supply to another member state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Id.
    pub id: i64,
    /// Number of the document.
    pub number: String,
}

/// Supplies of a document that box 3b declares.
#[derive(Clone, Debug)]
pub struct Supplied {
    /// The document; `None` for an entry of another kind.
    pub document: Option<Document>,
    /// VAT date of the document. A correction of a filed VAT return keeps this date, whichever
    /// return declares the correction.
    pub day: Date,
    /// VAT number of the buyer, if known.
    pub vat_number: Option<VatNumber>,
    /// Amounts in cents excluding VAT; negative on a credit note.
    pub amounts: Amounts<Cents>,
}

/// Period of an EC sales list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPeriod {
    /// Quarter or month that names the list.
    pub period: VatPeriod,
    /// First day of the list. If the goods exceed the limit in the second month of a quarter, the
    /// list of that month also covers the first month, so this is the first day of the quarter.
    pub first_day: Date,
}

impl ListPeriod {
    fn of(period: VatPeriod) -> Self {
        Self { period, first_day: period.first_day() }
    }

    fn contains(self, day: Date) -> bool {
        (self.first_day..=self.period.last_day()).contains(&day)
    }
}

/// Row of a list: a VAT number with its exact amounts in cents and the declared whole euros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// VAT number of the buyer.
    pub vat_number: VatNumber,
    /// Amounts in cents.
    pub exact: Amounts<Cents>,
    /// Amounts in whole euros, as declared.
    pub declared: Amounts<i64>,
}

/// Correction of a filed list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// Period of the filed list.
    pub period: VatPeriod,
    /// Change in the amounts for a VAT number.
    pub row: Row,
}

/// Filed version of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filed {
    /// Period of the list.
    pub list: ListPeriod,
    /// Whether this version is in force: it has not been reopened.
    pub is_current: bool,
    /// Rows, by VAT number.
    pub rows: Vec<Row>,
    /// Corrections of earlier lists.
    pub corrections: Vec<Correction>,
}

/// EC sales list for a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// First day.
    pub first_day: Date,
    /// Last day.
    pub last_day: Date,
    /// Rows, by VAT number. Rows below a euro are included, although they declare nothing.
    pub rows: Vec<Row>,
    /// Corrections of earlier lists, by period and VAT number.
    pub corrections: Vec<Correction>,
    /// Amount in box 3b according to the documents of the period, in cents. A correction belongs to
    /// the period that it corrects.
    pub box_3b: Cents,
    /// Part of box 3b that no list can declare, because the buyer's VAT number is missing, in
    /// cents; zero if box 3b and the lists agree.
    pub difference: Cents,
    /// Documents without the buyer's VAT number, which cause the difference, with their amounts in
    /// cents. The document is `None` for an entry of another kind.
    pub without_number: Vec<(Option<Document>, Cents)>,
}

impl Declaration {
    /// Whether there is nothing to declare and nothing to check.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.declares_anything() && self.without_number.is_empty() && self.box_3b.is_zero()
    }

    /// Whether a row or correction declares at least a euro.
    #[must_use]
    pub fn declares_anything(&self) -> bool {
        self.declared_rows().next().is_some() || self.declared_corrections().next().is_some()
    }

    /// Rows that declare at least a euro.
    pub fn declared_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.declared.is_zero())
    }

    /// Corrections that declare at least a euro.
    pub fn declared_corrections(&self) -> impl Iterator<Item = &Correction> {
        self.corrections.iter().filter(|correction| !correction.row.declared.is_zero())
    }

    /// Declared whole euros of the rows, per kind of supply.
    #[must_use]
    pub fn sums(&self) -> Amounts<i64> {
        self.rows.iter().fold(Amounts::default(), |sum, row| sum + row.declared)
    }
}

/// Exact cents and declared euros per VAT number.
type Sums = BTreeMap<VatNumber, (Amounts<Cents>, Amounts<i64>)>;

/// EC sales lists of an account, derived from its supplies and from the lists filed so far.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    supplies: Vec<Supplied>,
    filed: Vec<Filed>,
    /// Goods per month, triangular supplies included.
    goods: BTreeMap<Month, Cents>,
}

impl Lists {
    /// Creates the lists from the supplies in box 3b and the filed versions of lists, in order of
    /// filing. Services to a customer with a VAT number of Northern Ireland count as British
    /// services and belong on no list (art. 8 and 13 of the Protocol on Ireland/Northern Ireland),
    /// so they are stored without a VAT number.
    #[must_use]
    pub fn new(supplies: Vec<Supplied>, filed: Vec<Filed>) -> Self {
        let mut lists = Self { supplies: Vec::new(), filed, goods: BTreeMap::new() };
        for mut supplied in supplies {
            let goods = supplied.amounts.goods + supplied.amounts.triangular;
            *lists.goods.entry(Month::of(supplied.day)).or_default() += goods;
            let is_northern = |number: &VatNumber| number.as_str().starts_with("XI");
            if supplied.vat_number.as_ref().is_some_and(is_northern)
                && !supplied.amounts.services.is_zero()
            {
                let services =
                    Amounts { services: supplied.amounts.services, ..Amounts::default() };
                lists.supplies.push(Supplied {
                    vat_number: None,
                    amounts: services,
                    ..supplied.clone()
                });
                supplied.amounts.services = Cents::ZERO;
            }
            lists.supplies.push(supplied);
        }
        lists
    }

    /// Quarters with supplies or with a filed list, in order.
    #[must_use]
    pub fn quarters(&self) -> BTreeSet<Quarter> {
        let supplied = self.supplies.iter().map(|supplied| Quarter::of(supplied.day));
        supplied.chain(self.filed.iter().map(|filed| filed.list.period.last_quarter())).collect()
    }

    /// Periods of the lists of a quarter, in order. A list that has ever been filed keeps its
    /// period.
    #[must_use]
    pub fn periods(&self, quarter: Quarter) -> Vec<ListPeriod> {
        let whole = VatPeriod::from(quarter);
        let filed: Vec<ListPeriod> = self
            .filed
            .iter()
            .map(|filed| filed.list)
            .filter(|list| list.period.last_quarter() == quarter)
            .collect();
        if filed.iter().any(|list| list.period == whole) {
            return vec![ListPeriod::of(whole)];
        }
        let [first, second, _] = quarter
            .months()
            .map(|number| self.goods_of(Month::of(date(quarter.year(), number, 1))));
        let mut before = iter::successors(Some(quarter), |at| Some(at.previous())).skip(1).take(4);
        let months = VatPeriod::of_year(quarter.year(), VatUnit::Month)
            .filter(|month| month.last_quarter() == quarter);
        if !filed.is_empty()
            || first > GOODS_LIMIT
            || before.any(|at| self.goods_in(at) > GOODS_LIMIT)
        {
            let list = |month| filed.iter().copied().find(|list| list.period == month);
            let is_covered = |month: VatPeriod| {
                filed.iter().any(|list| list.period != month && list.contains(month.first_day()))
            };
            return months
                .filter(|month| !is_covered(*month))
                .map(|month| list(month).unwrap_or_else(|| ListPeriod::of(month)))
                .collect();
        }
        if first + second > GOODS_LIMIT {
            return months
                .skip(1)
                .map(|month| match month.number() % 3 {
                    2 => ListPeriod { period: month, first_day: whole.first_day() },
                    _ => ListPeriod::of(month),
                })
                .collect();
        }
        vec![ListPeriod::of(whole)]
    }

    /// Goods in a month, triangular supplies included.
    fn goods_of(&self, month: Month) -> Cents {
        self.goods.get(&month).copied().unwrap_or_default()
    }

    /// Goods in a quarter, triangular supplies included.
    fn goods_in(&self, quarter: Quarter) -> Cents {
        let whole = VatPeriod::from(quarter);
        self.goods.range(whole.first_month()..=whole.last_month()).map(|(_, goods)| *goods).sum()
    }

    /// Returns the list for the given period; `None` if another list covers its days.
    #[must_use]
    pub fn list(&self, period: VatPeriod) -> Option<ListPeriod> {
        self.periods(period.last_quarter()).into_iter().find(|list| list.period == period)
    }

    /// Current filed version of a list.
    fn current(&self, period: VatPeriod) -> Option<&Filed> {
        self.filed.iter().rfind(|filed| filed.is_current && filed.list.period == period)
    }

    /// Supplies of a list, by VAT number, exact and in whole euros. Euros are rounded down, as on
    /// the VAT return, so a credit of half a euro becomes a credit of a whole euro.
    fn supplied(&self, list: ListPeriod) -> Sums {
        let mut sums = Sums::new();
        for supplied in self.supplies.iter().filter(|supplied| list.contains(supplied.day)) {
            if let Some(number) = &supplied.vat_number {
                let sum = sums.entry(number.clone()).or_default();
                sum.0 = sum.0 + supplied.amounts;
            }
        }
        for (exact, declared) in sums.values_mut() {
            *declared = exact.map(Cents::whole_euros_down);
        }
        sums
    }

    /// Corrections of a list that other filed lists declare.
    fn corrected(&self, period: VatPeriod) -> Sums {
        let mut sums = Sums::new();
        let all = self.filed.iter().filter(|filed| filed.is_current);
        for correction in all.flat_map(|filed| &filed.corrections) {
            if correction.period == period {
                add(&mut sums, &correction.row);
            }
        }
        sums
    }

    /// Changes to a filed list that no list declares yet.
    fn undeclared(&self, filed: &Filed) -> Vec<Row> {
        let mut declared = self.corrected(filed.list.period);
        for row in &filed.rows {
            add(&mut declared, row);
        }
        rows(minus(self.supplied(filed.list), &declared))
    }

    /// First open list after `filed`; it declares the corrections of `filed`.
    fn carrier(&self, filed: &Filed) -> Option<ListPeriod> {
        let first = filed.list.period.last_quarter();
        let quarters = iter::successors(Some(first), |quarter| Some(quarter.next()));
        quarters
            .take_while(|quarter| quarter.year() < 2100)
            .flat_map(|quarter| self.periods(quarter))
            .find(|list| {
                list.first_day > filed.list.period.last_day() && self.current(list.period).is_none()
            })
    }

    /// Declaration of a list: the filed version or, for an open list, the current state of the
    /// books.
    #[must_use]
    pub fn declaration(&self, list: ListPeriod) -> Declaration {
        let (rows, corrections) = match self.current(list.period) {
            Some(filed) => (filed.rows.clone(), filed.corrections.clone()),
            None => {
                (rows(minus(self.supplied(list), &self.corrected(list.period))), self.carried(list))
            }
        };
        self.declaration_of(list, rows, corrections)
    }

    /// Supplies of a calendar quarter according to the current books, whichever lists declare them.
    #[must_use]
    pub fn quarter(&self, quarter: Quarter) -> Declaration {
        let list = ListPeriod::of(quarter.into());
        self.declaration_of(list, rows(self.supplied(list)), Vec::new())
    }

    fn declaration_of(
        &self,
        list: ListPeriod,
        rows: Vec<Row>,
        corrections: Vec<Correction>,
    ) -> Declaration {
        let all = || self.supplies.iter().filter(|supplied| list.contains(supplied.day));
        let without_number: Vec<(Option<Document>, Cents)> = all()
            .filter(|supplied| supplied.vat_number.is_none())
            .map(|supplied| (supplied.document.clone(), supplied.amounts.total()))
            .filter(|(_, amount)| !amount.is_zero())
            .collect();
        Declaration {
            first_day: list.first_day,
            last_day: list.period.last_day(),
            rows,
            corrections,
            box_3b: all().map(|supplied| supplied.amounts.total()).sum(),
            difference: without_number.iter().map(|(_, amount)| *amount).sum(),
            without_number,
        }
    }

    /// Corrections of earlier lists that an open list carries.
    fn carried(&self, list: ListPeriod) -> Vec<Correction> {
        let mut corrections = Vec::new();
        let earlier = self
            .filed
            .iter()
            .filter(|filed| filed.is_current && filed.list.period.last_day() < list.first_day);
        for filed in earlier {
            let undeclared = self.undeclared(filed);
            if !undeclared.is_empty() && self.carrier(filed) == Some(list) {
                let period = filed.list.period;
                corrections.extend(undeclared.into_iter().map(|row| Correction { period, row }));
            }
        }
        corrections
            .sort_by(|a, b| (a.period, &a.row.vat_number).cmp(&(b.period, &b.row.vat_number)));
        corrections
    }
}

fn add(sums: &mut Sums, row: &Row) {
    let sum = sums.entry(row.vat_number.clone()).or_default();
    *sum = (sum.0 + row.exact, sum.1 + row.declared);
}

/// Subtracts the amounts of `other` from those of `sums`, per VAT number.
fn minus(mut sums: Sums, other: &Sums) -> Sums {
    for (number, (exact, declared)) in other {
        let sum = sums.entry(number.clone()).or_default();
        *sum = (sum.0 - *exact, sum.1 - *declared);
    }
    sums
}

/// Rows with an amount, by VAT number.
fn rows(sums: Sums) -> Vec<Row> {
    sums.into_iter()
        .map(|(vat_number, (exact, declared))| Row { vat_number, exact, declared })
        .filter(|row| !row.exact.is_zero() || !row.declared.is_zero())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DE: &str = "DE123456789";
    const FR: &str = "FR40303265045";

    fn period(text: &str) -> VatPeriod {
        VatPeriod::parse(text).unwrap_or_else(|| panic!("{text} is a period"))
    }

    fn supplied(day: &str, number: Option<&str>, supply: Supply, cents: i64) -> Supplied {
        let mut amounts = Amounts::default();
        *amounts.of_mut(supply) = Cents::new(cents);
        Supplied {
            document: Some(Document { id: 7, number: "2026-0007".into() }),
            day: day.parse().unwrap_or_else(|_| panic!("{day} is a date")),
            vat_number: number.map(number_of),
            amounts,
        }
    }

    fn number_of(text: &str) -> VatNumber {
        VatNumber::parse(text).unwrap_or_else(|_| panic!("{text} is a VAT number"))
    }

    fn goods(amounts: &[(&str, i64)]) -> Lists {
        let supplies =
            amounts.iter().map(|(day, euros)| supplied(day, Some(DE), Supply::Goods, euros * 100));
        Lists::new(supplies.collect(), Vec::new())
    }

    /// Returns the list for a period as it would be filed now.
    fn filed(lists: &Lists, text: &str) -> Filed {
        let list = lists.list(period(text)).unwrap_or_else(|| panic!("{text} is a list"));
        let Declaration { rows, corrections, .. } = lists.declaration(list);
        Filed { list, is_current: true, rows, corrections }
    }

    fn shown(declaration: &Declaration) -> Vec<String> {
        let row = |row: &Row| {
            let [goods, services, triangular] = row.declared.all();
            format!("{} {goods} {services} {triangular}", row.vat_number.as_str())
        };
        let corrections = declaration
            .declared_corrections()
            .map(|correction| format!("{}: {}", correction.period, row(&correction.row)));
        declaration.declared_rows().map(row).chain(corrections).collect()
    }

    /// Art. 263(1a) and (1b) Directive 2006/112/EC.
    #[test]
    fn goods_above_the_limit_make_the_lists_monthly() {
        let quarterly = ["2026-Q2 from 2026-04-01"];
        let monthly =
            ["2026-04 from 2026-04-01", "2026-05 from 2026-05-01", "2026-06 from 2026-06-01"];
        let from_may = ["2026-05 from 2026-04-01", "2026-06 from 2026-06-01"];
        for (amounts, expected) in [
            (&[][..], &quarterly[..]),
            (&[("2026-04-10", 50_000)], &quarterly),
            (&[("2026-04-10", 50_001)], &monthly),
            (&[("2026-04-10", 30_000), ("2026-05-31", 20_001)], &from_may),
            (&[("2026-04-10", 30_000), ("2026-06-01", 20_001)], &quarterly),
            (&[("2025-04-01", 50_001)], &monthly),
            (&[("2026-03-31", 50_001)], &monthly),
            (&[("2025-03-31", 50_001)], &quarterly),
            (&[("2025-04-01", 30_000), ("2025-07-01", 30_000)], &quarterly),
            (&[("2026-04-10", 60_000), ("2026-04-20", -20_000)], &quarterly),
        ] {
            let lists = goods(amounts).periods(period("2026-Q2").last_quarter());
            let lists: Vec<String> = lists
                .iter()
                .map(|list| format!("{} from {}", list.period, list.first_day))
                .collect();
            assert_eq!(lists, expected, "{amounts:?}");
        }
    }

    #[test]
    fn services_do_not_count_towards_the_limit() {
        let services = supplied("2026-04-10", Some(DE), Supply::Services, 9_000_000);
        let lists = Lists::new(vec![services], Vec::new());
        assert!(lists.list(period("2026-Q2")).is_some() && lists.list(period("2026-04")).is_none());
    }

    #[test]
    fn a_filed_list_keeps_its_period() {
        let quarter = filed(&goods(&[("2026-04-10", 1_000)]), "2026-Q2");
        let passed = goods(&[("2026-04-10", 1_000), ("2026-05-02", 90_000)]);
        let lists = Lists::new(passed.supplies.clone(), vec![quarter]);
        assert!(lists.list(period("2026-Q2")).is_some() && lists.list(period("2026-05")).is_none());
        let second = filed(&passed, "2026-05");
        let lists = Lists::new(goods(&[("2026-04-10", 1_000)]).supplies, vec![second]);
        let periods = lists.periods(period("2026-Q2").last_quarter());
        assert_eq!(periods.len(), 2);
        assert_eq!(periods[0].first_day, date(2026, 4, 1));
    }

    #[test]
    fn supplies_are_added_up_per_number_and_kind_and_rounded_down() {
        let supplies = vec![
            supplied("2026-01-10", Some(DE), Supply::Services, 100_050),
            supplied("2026-02-10", Some(DE), Supply::Goods, 20_000),
            supplied("2026-03-10", Some(FR), Supply::Triangular, 5_099),
            supplied("2026-03-31", Some(DE), Supply::Services, -50_000),
            supplied("2026-03-31", None, Supply::Services, 300),
            supplied("2026-04-01", Some(DE), Supply::Services, 100),
            supplied("2026-03-31", Some("XI123456782"), Supply::Services, 40),
            supplied("2026-03-31", Some("XI123456782"), Supply::Goods, 900),
        ];
        let lists = Lists::new(supplies, Vec::new());
        let declaration = lists.declaration(filed(&lists, "2026-Q1").list);
        let rows = [format!("{DE} 200 500 0"), format!("{FR} 0 0 50"), "XI123456782 9 0 0".into()];
        assert_eq!(shown(&declaration), rows);
        assert_eq!(declaration.box_3b, Cents::new(76_389));
        assert_eq!(declaration.difference, Cents::new(340));
        assert_eq!(declaration.without_number.len(), 2);
    }

    #[test]
    fn a_number_that_changes_after_filing_is_corrected_on_the_first_open_list() {
        let wrong = vec![supplied("2026-02-01", Some(DE), Supply::Services, 100_050)];
        let first = filed(&Lists::new(wrong.clone(), Vec::new()), "2026-Q1");
        let right = vec![supplied("2026-02-01", Some(FR), Supply::Services, 100_050)];
        let lists = Lists::new(right.clone(), vec![first.clone()]);
        let second = filed(&lists, "2026-Q2");
        let expected = [format!("2026-Q1: {DE} 0 -1000 0"), format!("2026-Q1: {FR} 0 1000 0")];
        assert_eq!(shown(&lists.declaration(second.list)), expected);
        let as_filed = lists.declaration(first.list);
        assert_eq!(shown(&as_filed), [format!("{DE} 0 1000 0")]);
        assert_eq!(as_filed.difference, Cents::ZERO);
        // A filed correction is not declared again. If the buyer gets the old VAT number again, a
        // new correction reverses the filed one.
        let lists = Lists::new(right, vec![first.clone(), second.clone()]);
        assert!(lists.declaration(filed(&lists, "2026-Q3").list).is_empty());
        let lists = Lists::new(wrong, vec![first, second]);
        let expected = [format!("2026-Q1: {DE} 0 1000 0"), format!("2026-Q1: {FR} 0 -1000 0")];
        assert_eq!(shown(&lists.declaration(filed(&lists, "2026-Q3").list)), expected);
    }

    #[test]
    fn a_number_that_comes_after_filing_is_declared_later_and_leaves_no_difference() {
        let mut supply = supplied("2026-02-01", None, Supply::Services, 70_000);
        let lists = Lists::new(vec![supply.clone()], Vec::new());
        let first = filed(&lists, "2026-Q1");
        assert_eq!(lists.declaration(first.list).difference, Cents::new(70_000));
        supply.vat_number = Some(number_of(FR));
        let lists = Lists::new(vec![supply], vec![first.clone()]);
        let next = lists.declaration(filed(&lists, "2026-Q2").list);
        assert_eq!(shown(&next), [format!("2026-Q1: {FR} 0 700 0")]);
        assert_eq!(next.box_3b, Cents::ZERO);
        assert_eq!(lists.declaration(first.list).difference, Cents::ZERO);
    }

    #[test]
    fn a_reopened_list_declares_what_no_later_list_declared() {
        let before = vec![supplied("2026-02-01", Some(DE), Supply::Goods, 100_000)];
        let mut first = filed(&Lists::new(before.clone(), Vec::new()), "2026-Q1");
        let mut after = before;
        after.push(supplied("2026-02-02", Some(DE), Supply::Goods, 50_000));
        let lists = Lists::new(after.clone(), vec![first.clone()]);
        let second = filed(&lists, "2026-Q2");
        first.is_current = false;
        let lists = Lists::new(after, vec![first.clone(), second]);
        assert_eq!(shown(&lists.declaration(first.list)), [format!("{DE} 1000 0 0")]);
    }
}
