//! Tests of the bank accounts of the books.

use super::*;
use crate::{chart::Class, money_account::MoneyAccount, own_account::OwnAccounts};
use proptest::prelude::*;

fn begun() -> BankAccounts {
    BankAccounts::first(Timestamp::UNIX_EPOCH)
}

/// Adds a bank account of a kind; `None` if the kind has no free code.
fn add(accounts: &BankAccounts, kind: BankAccountKind, is_default: bool) -> Option<BankAccounts> {
    let id = i64::try_from(accounts.all().len()).unwrap() + 1;
    let new = BankAccount {
        id,
        code: accounts.free_code(kind)?,
        name: Some(format!("Account {id}")),
        is_default,
        ..accounts.all()[0].clone()
    };
    Some(accounts.with(new))
}

#[test]
fn books_begin_with_one_bank_account_of_each_kind() {
    let expected = [
        (1, 1100, "checking", "Bank", "BLimBanRba"),
        (2, 1110, "savings", "Spaarrekening", "BLimBanSpa"),
        (3, 1120, "creditCard", "Creditcard", "BLimKruCra"),
        (4, 1000, "cash", "Kas", "BLimKasKas"),
        (5, 1130, "paymentProvider", "Betaalprovider", "BVorTusTon"),
    ];
    let accounts = begun();
    let shown = accounts.all().iter().map(|of| {
        let kind = of.kind();
        assert!(of.is_default && !of.is_archived);
        (of.id, of.code.get(), kind.as_str(), of.name(Language::Dutch), kind.rgs())
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn a_kind_has_ten_codes_and_gives_out_the_lowest_that_is_free() {
    for kind in BankAccountKind::ALL {
        let first = kind.first().get();
        let mut accounts = begun();
        for number in first + 1..=first + 9 {
            let code = accounts.free_code(*kind).unwrap();
            assert_eq!((code.get(), code.class()), (number, Some(Class::Asset)));
            assert_eq!(AccountCode::restore(code.stored()), Some(code));
            assert_eq!(BankAccountKind::of(code), Some(*kind));
            accounts = add(&accounts, *kind, false).unwrap();
        }
        assert_eq!(accounts.free_code(*kind), None);
    }
}

#[test]
fn accounts_that_cannot_be_together_are_rejected() {
    let accounts = begun().all().to_vec();
    let changed = |change: fn(&mut Vec<BankAccount>)| {
        let mut accounts = accounts.clone();
        change(&mut accounts);
        BankAccounts::new(accounts)
    };
    assert_eq!(changed(|_| ()), Some(begun()));
    assert_eq!(changed(|of| of[0].is_default = false), None);
    assert_eq!(changed(|of| of[0].is_archived = true), None);
    assert_eq!(changed(|of| of[4].id = 7), None);
    assert_eq!(changed(|of| of[1].code = codes::BANK), None);
    assert_eq!(changed(|of| of[1].code = codes::OFFICE), None);
    assert_eq!(changed(|of| drop(of.pop())), None);
}

#[test]
fn names_are_compared_in_both_languages_and_without_case() {
    let accounts = begun();
    for (name, except, taken) in [
        ("bank", 0, true),
        ("Savings account", 0, true),
        ("SPAARREKENING", 0, true),
        ("Spaarrekening", 2, false),
        ("Reserve", 0, false),
    ] {
        assert_eq!(accounts.has_name(name, except), taken, "{name}");
    }
    let mut renamed = accounts.all()[1].clone();
    renamed.name = Some("Reserve".to_owned());
    let renamed = accounts.with(renamed);
    assert!(renamed.has_name("reserve", 0) && !renamed.has_name("Spaarrekening", 0));
}

#[test]
fn a_method_is_on_the_default_and_a_code_on_its_own_account() {
    let accounts = add(&begun(), BankAccountKind::Checking, true).unwrap();
    let own = OwnAccounts::default().with_banks(accounts);
    let code = |named| own.money(named).map(|money| (money.code().get(), money.as_str()));
    assert_eq!(code(MoneyAccount::Bank), Some((1101, "bank")));
    assert_eq!(code(MoneyAccount::DirectDebit), Some((1101, "directDebit")));
    assert_eq!(code(MoneyAccount::Savings), Some((1110, "savings")));
    assert_eq!(code(MoneyAccount::Private), Some((510, "private")));
    let by_code = |number| code(MoneyAccount::named(number).unwrap());
    assert_eq!(by_code(1100), Some((1100, "bank")));
    assert_eq!(by_code(1101), Some((1101, "bank")));
    assert_eq!(by_code(1130), Some((1130, "provider")));
    assert_eq!(by_code(1102), None);
    let named = AccountCode::named("1101").unwrap();
    assert_eq!(own.name(own.resolve(named), Language::Dutch), "Account 6");
    assert_eq!(own.rgs(own.resolve(named)), "BLimBanRba");
    assert!(!own.resolve(AccountCode::named("1102").unwrap()).is_known());
}

proptest! {
    #[test]
    fn codes_are_never_given_out_twice(
        drawn in prop::collection::vec((prop::sample::select(BankAccountKind::ALL), any::<bool>()), 0..60),
    ) {
        let mut accounts = begun();
        for (kind, is_default) in drawn {
            let count = accounts.all().iter().filter(|of| of.kind() == kind).count();
            match add(&accounts, kind, is_default) {
                Some(more) => accounts = more,
                None => prop_assert_eq!(count, 10),
            }
            prop_assert_eq!(BankAccounts::new(accounts.all().to_vec()), Some(accounts.clone()));
        }
    }
}
