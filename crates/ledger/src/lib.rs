//! Rules of Dutch double-entry bookkeeping for the self-employed: pure, exact and without I/O.
//!
//! No code here reads a clock, a file or a random source. Amounts are whole euro cents; rates and
//! quantities are exact decimals. Binary floating point is not used.

pub mod article;
pub mod asset;
pub mod bank_account;
pub mod bank_line;
pub mod booking;
pub mod calendar;
pub mod cash_accounting;
pub mod chain;
pub mod chart;
pub mod closing_step;
pub mod correction;
pub mod country;
pub mod credit_lines;
pub mod credit_note;
pub mod customer;
pub mod cut_off;
pub mod decimal;
pub mod description;
pub mod discount;
pub mod entry;
pub mod event;
pub mod hours;
pub mod icp;
pub mod identifiers;
pub mod invoice;
pub mod kor;
pub mod language;
pub mod late_invoice;
pub mod latin;
pub mod money;
pub mod money_account;
pub mod named;
pub mod oss;
pub mod own_account;
pub mod payment_batch;
pub mod payout;
pub mod provider_payment;
pub mod purchase;
pub mod quote;
pub mod reminder;
pub mod rgs;
mod sales_accounts;
pub mod schedule;
pub mod summary;
pub mod unit;
pub mod unusual_day;
pub mod vat;
pub mod vat_date;
pub mod vat_move;
pub mod vat_period;
pub mod vat_proposal;
pub mod vat_return;
pub mod vat_revision;
pub mod write_off;
